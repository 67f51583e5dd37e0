// This is a clamd for tests, on loopback: it finds a word in what it is sent. It speaks the documented protocol
// (https://docs.clamav.net/manual/Usage/Scanning.html#clamd), and fails where a test wants that.

import { createServer, type Socket } from 'node:net'
import { freePort } from '../service/ports.ts'

export const infected = 'a-test-signature-of-parley'

/** It takes files of this many bytes. */
const streamMaxLength = 30 * 2 ** 20

type Fault = 'breaks off' | 'hangs' | undefined

export async function startClamd() {
  const port = await freePort()
  const sockets = new Set<Socket>()
  const scanned: number[] = []
  let fault: Fault
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    if (fault === 'breaks off') socket.destroy()
    // Who leaves in the middle of a file gets no answer.
    else if (fault !== 'hangs') answer(socket).catch(() => {})
  })

  async function answer(socket: Socket): Promise<void> {
    let rest: Buffer = Buffer.alloc(0)
    let content: Buffer[] | undefined
    let size = 0
    for await (const piece of socket as AsyncIterable<Buffer>) {
      rest = Buffer.concat([rest, piece])
      if (!content) {
        const end = rest.indexOf(0)
        if (end < 0) continue
        const command = String(rest.subarray(0, end))
        rest = rest.subarray(end + 1)
        if (command === 'zPING') return void socket.end('PONG\0')
        if (command !== 'zINSTREAM') return void socket.end('UNKNOWN COMMAND\0')
        content = []
      }
      while (rest.length >= 4) {
        const length = rest.readUInt32BE(0)
        if (length === 0) {
          scanned.push(size)
          const isFound = Buffer.concat(content).includes(infected)
          return void socket.end(isFound ? 'stream: Parley.Test.UNOFFICIAL FOUND\0' : 'stream: OK\0')
        }
        if (rest.length < 4 + length) break
        content.push(rest.subarray(4, 4 + length))
        rest = rest.subarray(4 + length)
        size += length
        if (size > streamMaxLength) return void socket.end('INSTREAM size limit exceeded. ERROR\0')
      }
    }
  }

  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `tcp://127.0.0.1:${port}`,
    /** The bytes of each file that was scanned. */
    scanned,
    setFault: (next: Fault) => (fault = next),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
