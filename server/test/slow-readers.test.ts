// Readers who ask for long lists, with limits on, and then read nothing: their number must cost neither
// memory nor anybody else's time.

import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openCaller } from '../../testing/cases/callers.ts'
import { newFolder } from '../../testing/service/files.ts'
import { freePort } from '../../testing/service/ports.ts'
import { copyMigrated } from '../../testing/service/postgres.ts'
import { memory } from '../../testing/service/processes.ts'
import { newWallet, testSecret } from '../../testing/service/service.ts'
import { createServiceProcess, nodeCommand } from '../../testing/service/service-process.ts'

/** As `npm start` has them. */
const flags = execFileSync(process.execPath, ['tools/v8-flags.mjs'], { encoding: 'utf8' })
  .split(/\s+/)
  .filter(Boolean)
const sockets = 1000
/** So many come before each look at the others. */
const atOnce = 50
const addresses = 10
const walletsOfAddress = 4
const list = '/v1/get_groupchatitems/Town'
/** Half of them take compressed answers. */
const headersOf = (i: number) => (i % 2 ? { 'accept-encoding': 'gzip' } : {})
/**
 * 360 MB, in MiB: about 300 MB were seen, and up to 343 where garbage is collected later. About 165 are there before the
 * first reader; each would hold ten without a ceiling.
 */
const mostMemory = 360e6 / 2 ** 20

test('a thousand readers who do not read cost little memory and nobody else’s time, and are disconnected', async () => {
  await using folder = await newFolder('slow-readers')
  await copyMigrated(folder.path)
  await using service = createServiceProcess({
    port: await freePort(),
    command: nodeCommand(flags),
    env: { DATA_DIR: folder.path, JWT_SECRET: testSecret, LOG_LEVEL: 'warn' },
  })
  await service.start()
  const place = { url: service.url, jwtSecret: testSecret }
  const writer = await openCaller(place, newWallet(), '127.0.0.2')
  await writer.post('/v1/create_community', { community: 'Town' })
  // Compressing hardly makes it shorter.
  const text = () =>
    randomBytes(48 * 1024)
      .toString('base64')
      .slice(0, 64 * 1024)
  const post = () => ({ fromaddr: writer.address, nftaddr: 'Town', message: text() })
  for (let i = 0; i < 120; i++)
    expect(await writer.post('/v1/create_groupchatitem', post())).toMatchObject({ status: 200 })

  const people = await Promise.all(
    Array.from({ length: addresses * walletsOfAddress }, (_, i) =>
      openCaller(place, newWallet(), `127.0.1.${1 + (i % addresses)}`),
    ),
  )
  const other = await openCaller(place, newWallet(), '127.0.0.3')
  const began = performance.now()
  const seconds = () => (performance.now() - began) / 1000
  const read = (i: number) => {
    const { address, askAndWait } = people[i % people.length]!
    const reader = {
      status: 0,
      began: Infinity,
      isWhole: false,
      socket: askAndWait(`${list}/${address}`, headersOf(i)),
    }
    reader.socket.on('data', (data: Buffer) => {
      if (reader.status === 0) reader.began = performance.now() - began
      reader.status ||= Number(data.subarray(9, 12))
      reader.isWhole = data.subarray(-7).toString() === '\r\n0\r\n\r\n'
    })
    return reader
  }

  const readers: ReturnType<typeof read>[] = []
  const took: number[] = []
  let most = 0
  while (seconds() < 18) {
    for (let n = 0; n < atOnce && readers.length < sockets; n++) readers.push(read(readers.length))
    const message = { fromaddr: other.address, toaddr: writer.address, message: 'gm' }
    for (const answer of [
      await other.post('/v1/create_chatitem', message),
      await other.get(`/v1/getall_chatitems/${other.address}`),
      await other.get(`${list}/${other.address}?limit=5`),
    ]) {
      expect(answer).toMatchObject({ status: 200 })
      took.push(answer.took)
    }
    most = Math.max(most, memory(service.pid) || 0)
    await sleep(100)
  }
  expect(most).toBeLessThan(mostMemory)
  // Most at once; beside other tests of a busy machine a few may be late.
  const sorted = took.toSorted((a, b) => a - b)
  expect(sorted[Math.floor(sorted.length * 0.9)]).toBeLessThan(1000)
  expect(sorted.at(-1)).toBeLessThan(5000)
  // What the system has kept for a reader is still there; after it comes the end.
  const first = readers.filter(({ status, began: at }) => status === 200 && at < 2000)
  expect(first.length).toBeGreaterThan(0)
  for (const { socket } of first) socket.resume()
  const isOver = ({ socket, isWhole }: (typeof first)[number]) => socket.destroyed || isWhole
  await expect.poll(() => first.every(isOver), { timeout: 40_000 }).toBe(true)
  // Beside other tests of a busy machine a few may be cut off too late.
  expect(first.filter(({ isWhole }) => isWhole).length).toBeLessThan(Math.max(1, first.length / 4))
  for (const { socket } of readers) socket.destroy()
  // Nothing is held for them any longer, and a whole list is read as before.
  await expect
    .poll(async () => (await other.get(`${list}/${other.address}`)).status, { timeout: 15_000 })
    .toBe(200)
}, 150_000)
