// This tests the command `status`, as a process of its own beside a service.

import { statfs } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { newFolder } from '../../../testing/service/files.ts'
import { freePort } from '../../../testing/service/ports.ts'
import { startPostgresPair } from '../../../testing/service/postgres.ts'
import { createServiceProcess } from '../../../testing/service/service-process.ts'
import { newWallet, startService, useService } from '../../../testing/service/service.ts'
import { parley } from '../../../testing/service/processes.ts'
import { isLocal } from '../config/settings.ts'

const service = useService()

test('status tells a service that serves from one that does not, for people and for programs', async () => {
  const { port } = new URL(await service.listen())
  const env = { DATABASE_URL: service.databaseUrl, PORT: port }
  const good = await parley(['status', '--json'], env)
  expect(good.code).toBe(0)
  expect(JSON.parse(good.out)).toMatchObject({
    service: { isUp: true, isReady: true },
    database: { layout: { pending: [], later: [] }, jobs: [] },
  })
  const away = await parley(['status'], { ...env, PORT: '1' })
  expect(away.code).toBe(1)
  expect(away.out).toContain('does not answer at http://127.0.0.1:1')
  const lost = await parley(['status'], {
    DATABASE_URL: 'postgres://nobody:secret@127.0.0.1:1/x',
    PORT: port,
  })
  expect(lost.code).toBe(1)
  expect(lost.out).toContain('ECONNREFUSED')
  expect(lost.out + lost.err).not.toContain('secret')
})

test('status says what is free of the disk of the embedded database, and whether it is too little', async () => {
  await using folder = await newFolder('status')
  await using started = createServiceProcess({
    port: await freePort(),
    env: { DATA_DIR: folder.path, DRAIN_SECONDS: '0' },
  })
  await started.start()
  const env = { DATA_DIR: folder.path, PORT: new URL(started.url).port }
  const good = await parley(['status', '--json'], env)
  expect(good.code).toBe(0)
  const { disk, standby } = JSON.parse(good.out)
  const { bavail, bsize } = await statfs(folder.path)
  expect(Math.abs(disk.free - bavail * bsize)).toBeLessThan(2e9)
  expect(disk).toMatchObject({ isShort: false, reserve: expect.any(Number) })
  expect(standby).toBe(null)
  expect((await parley(['status'], env)).out).toMatch(/^disk +\S+ [GM]B free, the reserve is \S+ [kM]B$/m)
  const short = await parley(['status'], { ...env, DISK_RESERVE: '1000000000' })
  expect(short.code).toBe(1)
  expect(short.out).toContain('writes are refused, make room')
})

test('status says how far a standby is behind, and when it is not read', async () => {
  await using pair = await startPostgresPair()
  await using reading = await startService({ pair })
  const { port } = new URL(await reading.listen())
  const env = { DATABASE_URL: pair.primaryUrl, READ_DATABASE_URL: pair.standbyUrl, PORT: port }
  const standby = async (own = {}) => {
    const { code, out } = await parley(['status', '--json'], { ...env, ...own })
    expect(code).toBe(0)
    const data = JSON.parse(out)
    expect(data.disk).toBe(null)
    return data.standby
  }
  const wallet = newWallet()
  const client = await reading.as(wallet)
  const send = () =>
    client.sendDirectMessage({ body: { fromaddr: wallet, toaddr: newWallet(), message: 'gm' } })
  await send()
  await expect.poll(() => standby(), { timeout: 20_000 }).toEqual({ behind: 0, seconds: 0 })
  await pair.pause()
  await send()
  const { behind, seconds } = await standby()
  expect(behind).toBeGreaterThan(100)
  expect(seconds).toBeGreaterThan(0)
  expect((await parley(['status'], env)).out).toMatch(
    /^standby +\d+ kB of the log behind, shows what was stored up to \d+ s ago$/m,
  )
  await pair.resume()
  expect((await standby({ READ_DATABASE_URL: pair.primaryUrl })).error).toContain(
    'no standby of DATABASE_URL',
  )
  const away = await parley(['status'], {
    ...env,
    READ_DATABASE_URL: 'postgres://nobody:secret@127.0.0.1:1/x',
  })
  expect(away.code).toBe(0)
  expect(away.out).toMatch(/^standby +not read, the primary is: .*ECONNREFUSED/m)
  expect(away.out + away.err).not.toContain('secret')
})

test('status warns of a local PUBLIC_URL in production', async () => {
  const { port } = new URL(await service.listen())
  const env = { DATABASE_URL: service.databaseUrl, PORT: port }
  const address = async (own: Record<string, string>) => {
    const { code, out } = await parley(['status'], { ...env, ...own })
    expect(code).toBe(0)
    return /^address +(.*)$/m.exec(out)![1]
  }
  const production = { NODE_ENV: 'production' }
  expect(await address({})).toBe(`http://127.0.0.1:${port}`)
  expect(await address(production)).toContain('only this machine can open it. Set PUBLIC_URL')
  expect(await address({ ...production, PUBLIC_URL: 'https://chat.example.org' })).toBe(
    'https://chat.example.org',
  )
})

test('an address is local by its host, whatever its name begins with', () => {
  for (const host of ['localhost', 'chat.localhost', '127.0.0.1', '127.1', '[::1]', '0.0.0.0'])
    expect(isLocal({ publicUrl: `http://${host}:8080` }), host).toBe(true)
  for (const host of ['localhost.example.org', '127.example.org', 'chat.example.org', '10.0.0.1'])
    expect(isLocal({ publicUrl: `https://${host}` }), host).toBe(false)
})
