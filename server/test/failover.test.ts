// A database on several servers, of which one takes writes.

import { once } from 'node:events'
import { rm, symlink } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '@parley/sdk'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { onOneMachine } from '../../testing/service/engines.ts'
import { newFolder } from '../../testing/service/files.ts'
import { freePort } from '../../testing/service/ports.ts'
import { startPostgresPair } from '../../testing/service/postgres.ts'
import { clientOf, newToken, newWallet, testSecret } from '../../testing/service/service.ts'
import { createServiceProcess } from '../../testing/service/service-process.ts'
import { createApp } from '../src/app.ts'
import { issueToken } from '../src/auth/tokens.ts'
import { readConfig } from '../src/config/settings.ts'
import { buildContext } from '../src/context.ts'
import { layouts } from '../src/cluster/layout.ts'
import { connect, type Pool } from '../src/db/pool.ts'
import { createLog } from '../src/telemetry/log.ts'
import { databaseUrls } from '../src/values/database-urls.ts'

/** One URL with the sockets of both servers. */
function bothOf({ primaryUrl, standbyUrl }: { primaryUrl: string; standbyUrl: string }): string {
  const socketOf = (url: string) => encodeURIComponent(new URL(url).searchParams.get('host')!)
  return `postgres://parley@${socketOf(standbyUrl)},${socketOf(primaryUrl)}/parley?sslmode=disable&target_session_attrs=read-write`
}

test('a URL with several hosts is one URL for each', () => {
  expect(
    databaseUrls('postgres://u:p@one:5433,two/parley?target_session_attrs=read-write&sslmode=require'),
  ).toEqual(['postgres://u:p@one:5433/parley?sslmode=require', 'postgres://u:p@two/parley?sslmode=require'])
  const host = fc.stringMatching(/^[a-z][a-z0-9]{0,9}(:[1-9][0-9]{0,3})?$/)
  fc.assert(
    fc.property(fc.array(host, { minLength: 1, maxLength: 5 }), (hosts) => {
      expect(databaseUrls(`postgresql://u@${hosts.join(',')}/db`)).toEqual(
        hosts.map((one) => `postgresql://u@${one}/db`),
      )
    }),
  )
})

test.for([
  'mysql://one/parley',
  'postgres://one,/parley',
  'postgres://one:port,two/parley',
  'postgres://one,two/parley?target_session_attrs=any',
  'one,two',
])('%s is refused with an example', (DATABASE_URL) => {
  expect(() => readConfig({ DATABASE_URL })).toThrow(
    /DATABASE_URL must be an address of PostgreSQL, such as postgres:.*one:5432,two:5432/,
  )
})

onOneMachine(
  'a service goes on with the standby that becomes the primary, without a restart',
  async () => {
    await using pair = await startPostgresPair()
    await using folder = await newFolder('failover')
    const service = createServiceProcess({
      port: await freePort(),
      env: { DATA_DIR: folder.path, JWT_SECRET: testSecret, RATE_LIMITS: 'off', DATABASE_URL: bothOf(pair) },
    })
    await using _ = service
    await service.start()
    const { pid, url } = service
    const [alice, bob] = [newWallet(), newWallet()]
    const token = await issueToken({ config: { jwtSecret: testSecret, publicUrl: url } }, alice)
    const client = createClient({ baseUrl: url, token })
    const send = (message: string) =>
      client.sendDirectMessage({ body: { fromaddr: alice, toaddr: bob, message } })
    await send('before')
    await using standby = connect(pair.standbyUrl, { layout: layouts.machine })
    await expect.poll(() => standby.query('select id from direct_messages')).toHaveLength(1)
    await pair.stopPrimary()
    await expect(fetch(`${url}/readyz`)).resolves.toMatchObject({ status: 503 })
    await pair.promote()
    // The SDK tries again by itself.
    await expect
      .poll(() =>
        send('after').then(
          () => true,
          () => false,
        ),
      )
      .toBe(true)
    expect(service.pid).toBe(pid)
    const messages = (await client.listDirectMessages({ address: alice })).map(({ message }) => message)
    expect(messages[0]).toBe('before')
    expect(messages.slice(1)).toContain('after')
  },
  90_000,
)

onOneMachine(
  'a server that has become a standby counts as away',
  async () => {
    await using pair = await startPostgresPair()
    const reached: (string | undefined)[] = []
    await using db = connect(pair.standbyUrl, {
      layout: layouts.machine,
      onReach: (error) => void reached.push(error?.message),
    })
    await expect.poll(() => reached).toEqual(['it is a standby, which takes no writes'])
    await expect(db.query('select 1')).rejects.toThrow('out of reach')
    await pair.promote()
    await expect.poll(() => reached.at(-1)).toBeUndefined()
    expect(await db.query('select 1 as one')).toEqual([{ one: 1 }])
  },
  60_000,
)

onOneMachine(
  'a primary from before a failover is not used again, also when a proxy leads to it',
  async () => {
    await using pair = await startPostgresPair()
    await using folder = await newFolder('sockets')
    // As a proxy has it: one address, behind which the server changes.
    const leadTo = async (url: string) => {
      const link = path.join(folder.path, '.s.PGSQL.5432')
      await rm(link, { force: true })
      await symlink(path.join(new URL(url).searchParams.get('host')!, '.s.PGSQL.5432'), link)
    }
    const url = `postgres://parley@${encodeURIComponent(folder.path)}/parley?sslmode=disable`
    const ask = async () => {
      await using db = connect(url, { layout: layouts.machine })
      return db.query('select 1 as one')
    }
    await leadTo(pair.primaryUrl)
    expect(await ask()).toEqual([{ one: 1 }])
    await pair.promote()
    await leadTo(pair.standbyUrl)
    expect(await ask()).toEqual([{ one: 1 }])
    await leadTo(pair.primaryUrl)
    await expect(ask()).rejects.toThrow('a primary from before a failover')
    await leadTo(pair.standbyUrl)
    expect(await ask()).toEqual([{ one: 1 }])
  },
  60_000,
)

onOneMachine('a connection that breaks while it is checked fails, and ends nothing else', async () => {
  await using folder = await newFolder('breaks')
  // Accepts a connection as PostgreSQL does, and breaks it at the first query.
  const ready = Buffer.from([
    ...Buffer.from('R\0\0\0\b\0\0\0\0', 'latin1'),
    ...Buffer.from('Z\0\0\0\u0005I', 'latin1'),
  ])
  const server = createServer((socket) => {
    socket.once('data', () => socket.write(ready, () => socket.once('data', () => socket.destroy())))
  }).listen(path.join(folder.path, '.s.PGSQL.5432'))
  await once(server, 'listening')
  const uncaught: unknown[] = []
  const onUncaught = (error: unknown) => void uncaught.push(error)
  process.on('uncaughtException', onUncaught)
  await using db = connect(`postgres://parley@${encodeURIComponent(folder.path)}/parley?sslmode=disable`, {
    layout: layouts.machine,
  })
  await expect(db.query('select 1')).rejects.toThrow('Connection terminated unexpectedly')
  await sleep(50)
  process.off('uncaughtException', onUncaught)
  expect(uncaught).toEqual([])
  server.close()
})

/** From now on commits wait for a standby that does not exist; an empty name ends that. */
async function waitForStandby(db: Pool, name: string): Promise<void> {
  await db.query(`alter system set synchronous_standby_names = '${name}'`)
  await db.query('select pg_reload_conf()')
  await sleep(300)
}

onOneMachine(
  'a commit that hangs ends as unknown; the same key then gives one message',
  async () => {
    await using pair = await startPostgresPair()
    await using admin = connect(pair.primaryUrl, { layout: layouts.machine })
    await using db = connect(pair.primaryUrl, { layout: layouts.machine, size: 4, patience: 1_500 })
    const config = { ...readConfig({}), logLevel: 'silent', jwtSecret: testSecret, rateLimits: false }
    await using ctx = await buildContext({
      db,
      databaseUrl: pair.primaryUrl,
      config,
      log: createLog('silent'),
    })
    const app = await createApp(ctx)
    const [alice, bob] = [newWallet(), newWallet()]
    const token = await newToken(ctx, alice)
    const send = (key: string) =>
      app.inject({
        method: 'POST',
        url: '/v1/create_chatitem',
        headers: { authorization: `Bearer ${token}`, 'idempotency-key': key },
        payload: { fromaddr: alice, toaddr: bob, message: `gm ${key}` },
      })
    expect((await send('first')).statusCode).toBe(200)
    await waitForStandby(admin, 'missing')
    const began = performance.now()
    // More than there are connections: none stays occupied.
    const answers = await Promise.all(['second', 'third', 'third', 'fourth', 'fifth', 'sixth'].map(send))
    expect(performance.now() - began).toBeLessThan(8_000)
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([503]))
    expect(answers.map(({ body }) => body).join(' ')).toMatch(
      /outcome is unknown\. Try again with the same Idempotency-Key/,
    )
    expect(await db.query('select 1 as one')).toEqual([{ one: 1 }])

    await waitForStandby(admin, '')
    for (const key of ['second', 'third', 'fourth', 'fifth', 'sixth'])
      await expect.poll(async () => (await send(key)).statusCode, { timeout: 10_000 }).toBe(200)
    const messages = await clientOf(app, { token }).listDirectMessages({ address: alice })
    expect(messages.map(({ message }) => message).toSorted()).toEqual(
      ['fifth', 'first', 'fourth', 'second', 'sixth', 'third'].map((key) => `gm ${key}`),
    )
    await app.close()
  },
  90_000,
)
