import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { socketOfWholeMessages } from './whole-messages.ts'

/** Makes a message of PostgreSQL: its type, the length of the rest, and text. */
function message(size: number): Buffer {
  const bytes = Buffer.alloc(5 + size, size % 251)
  bytes.write('D')
  bytes.writeUInt32BE(4 + size, 1)
  return bytes
}

test('messages come whole and in order, however they are cut on their way, and the end comes after them', async () => {
  const sizes = [0, 1, 300, 65_531, 65_532, 300_000, 7, 2_000_000, 4, 64, 0, 70_000, 1]
  const sent = Buffer.concat(sizes.map(message))
  const server = createServer({ noDelay: true }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = socketOfWholeMessages()
  const [[from]] = await Promise.all([
    once(server, 'connection') as Promise<[Socket]>,
    once(socket.connect((server.address() as { port: number }).port, '127.0.0.1'), 'connect'),
  ])
  const got: Buffer[] = []
  const ends: number[] = []
  socket.on('data', (data: Buffer) => {
    // The buffer is used again after the data is handed on.
    got.push(Buffer.from(data))
    ends.push(got.reduce((sum, { length }) => sum + length, 0))
  })
  const whole = new Set(sizes.map((_, i) => Buffer.concat(sizes.slice(0, i + 1).map(message)).length))
  for (let at = 0, step = 1; at < sent.length; at += step, step = Math.ceil(step * 1.7) % 90_001 || 1) {
    from.write(sent.subarray(at, at + step))
    await new Promise(setImmediate)
  }
  from.end()
  await once(socket, 'end')
  server.close()
  expect(Buffer.concat(got).equals(sent)).toBe(true)
  expect(ends.filter((end) => !whole.has(end))).toEqual([])
})
