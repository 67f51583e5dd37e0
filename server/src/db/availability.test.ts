import net from 'node:net'
import { expect, test } from 'vitest'
import { watch } from './availability.ts'
import { createClock } from './clock.ts'

/** This server accepts connections and never says anything. */
async function startSilent() {
  const sockets = new Set<net.Socket>()
  const server = net.createServer((socket) => void sockets.add(socket))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    url: `postgres://parley@127.0.0.1:${(server.address() as net.AddressInfo).port}/parley`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => void server.close(resolve))
    },
  }
}

/**
 * Returns the milliseconds from the start of the watch until the database counts as away, without those in which the process
 * stood still.
 */
async function untilAway(stillFor: number): Promise<number> {
  await using silent = await startSilent()
  const away = Promise.withResolvers<void>()
  const started = performance.now()
  await using _ = watch({
    url: silent.url,
    clients: new Set(),
    isStandby: false,
    clock: createClock(),
    onReach: () => away.resolve(),
    layout: 'machine',
  })
  setTimeout(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, stillFor), 900)
  await away.promise
  return performance.now() - started - stillFor
}

test('a database that does not answer counts as away after 1.2 seconds', async () => {
  expect(await untilAway(0)).toBeGreaterThan(1_100)
})

test('a pause of the process is not waited for once more', async () => {
  const waited = await untilAway(1_000)
  expect(waited).toBeGreaterThan(1_000)
  // It takes 2.1 s when the wait begins again.
  expect(waited).toBeLessThan(1_800)
})
