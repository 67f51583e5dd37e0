import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Drill } from '../drill.ts'
import { memoryOf } from '../service.ts'
import { CannotRun } from '../run.ts'
import { hasStream } from '../load/listener.ts'

const consumers = 50
/** MiB the service may grow while clients take nothing in. */
const allowance = 256

/** Clients that open the event stream and do not read it must cost little, and nobody else a thing. */
export const slowConsumer: Drill = {
  name: 'slow-consumer',
  what: `${consumers} clients open the event stream and take nothing in; the memory of the service stays bounded`,
  seconds: 60,
  async play(stage) {
    const service = await stage.startService()
    if (!(await hasStream(service.url)))
      throw new CannotRun('the service has no event stream (GET /v1/events is 404)')
    // Long messages, so that what is not taken in soon is more than the buffers of the system hold.
    const { world } = await stage.startLoad(undefined, 16 * 1024)
    const before = await memoryOf(service.pid)
    const sockets = Array.from({ length: consumers }, (_, i) =>
      openStream(service.url, world.token(world.addresses[i % world.addresses.length]!)),
    )
    let most = 0
    try {
      while (stage.isTime()) {
        await stage.pause(500)
        most = Math.max(most, (await memoryOf(service.pid)) ?? 0)
      }
      const cut = await countEnded(sockets)
      stage.note(`${cut} of ${consumers} slow consumers cut off`)
      if (before !== undefined) {
        stage.note(`memory ${before.toFixed(0)} MiB before, at most ${most.toFixed(0)} MiB`)
        if (most - before > allowance)
          stage.report({ kind: 'broken', detail: `the service grew by ${(most - before).toFixed(0)} MiB` })
      }
    } finally {
      for (const socket of sockets) socket.destroy()
    }
    await stage.finish()
  },
}

/** Asks for the stream, and never reads. */
function openStream(url: string, token: string): Socket {
  const { port, host } = new URL(url)
  const socket = connect(Number(port), '127.0.0.1')
  socket.on('error', () => {})
  socket.pause()
  socket.write(`GET /v1/events HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n\r\n`)
  return socket
}

/** Those that find, once they read what is left, that the service has ended the stream. */
async function countEnded(sockets: Socket[]): Promise<number> {
  let ended = 0
  for (const socket of sockets) socket.once('close', () => ended++).resume()
  await sleep(2000)
  return ended
}
