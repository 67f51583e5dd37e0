import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Drill } from '../drill.ts'
import { memory } from '../../testing/service/processes.ts'
import { CannotRun } from '../run.ts'
import { hasStream } from '../load/listener.ts'

const consumers = 50
/** MiB the service may grow while clients read nothing. */
const allowance = 256

/** Clients that open the event stream and never read it must cost little memory and no other client anything. */
export const slowConsumer: Drill = {
  name: 'slow-consumer',
  summary: `${consumers} clients open the event stream and never read; the memory of the service stays bounded`,
  seconds: 60,
  async perform(run) {
    const service = await run.startService()
    if (!(await hasStream(service.url)))
      throw new CannotRun('the service has no event stream (GET /v1/events is 404)')
    // Messages are long, so that what is not read soon exceeds the buffers of the system.
    const { wallets } = await run.startLoad(undefined, { padding: 16 * 1024 })
    const before = memory(service.pid)
    const sockets = Array.from({ length: consumers }, (_, i) =>
      openStream(service.url, wallets.token(wallets.addresses[i % wallets.addresses.length]!)),
    )
    let most = 0
    try {
      while (run.hasTime()) {
        await run.pause(500)
        most = Math.max(most, memory(service.pid) || 0)
      }
      const cut = await countEnded(sockets)
      run.note(`${cut} of ${consumers} slow consumers cut off`)
      if (before > 0) {
        run.note(`memory ${before.toFixed(0)} MiB before, at most ${most.toFixed(0)} MiB`)
        if (most - before > allowance)
          run.report({ kind: 'broken', detail: `the service grew by ${(most - before).toFixed(0)} MiB` })
      }
    } finally {
      for (const socket of sockets) socket.destroy()
    }
    await run.finish()
  },
}

/** Requests the stream and never reads it. */
function openStream(url: string, token: string): Socket {
  const { port, host } = new URL(url)
  const socket = connect(Number(port), '127.0.0.1')
  socket.on('error', () => {})
  socket.pause()
  socket.write(`GET /v1/events HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n\r\n`)
  return socket
}

/** Reads what is left in each socket, and counts the streams that the service has ended. */
async function countEnded(sockets: Socket[]): Promise<number> {
  let ended = 0
  for (const socket of sockets) socket.once('close', () => ended++).resume()
  await sleep(2000)
  return ended
}
