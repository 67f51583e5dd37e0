import { connect, type Socket } from 'node:net'
import type { Drill } from '../drill.ts'
import { quantile } from '../drill.ts'

const attackers = 500

/** Many clients send their request one byte at a time, and never finish it. */
export const slowloris: Drill = {
  name: 'slowloris',
  summary: `${attackers} connections that send a byte a second of a request they never finish; other clients must not be slowed down`,
  seconds: 90,
  async perform(run) {
    const service = await run.startService()
    const { writers } = await run.startLoad()
    await run.pause(3000)
    const since = performance.now()
    const sockets = Array.from({ length: attackers }, (_, i) => attack(service.port, i))
    try {
      while (run.hasTime()) {
        for (const { socket, rest } of sockets)
          if (!socket.destroyed && rest.at < rest.text.length) socket.write(rest.text[rest.at++]!)
        await run.pause(1000)
      }
      const took = (when: (began: number) => boolean) =>
        quantile(
          writers.attempts.filter(({ began }) => when(began)).map(({ took: each }) => each),
          0.99,
        )
      const [before, during] = [took((began) => began < since), took((began) => began >= since)]
      run.note(`p99 ${before.toFixed(0)} ms before, ${during.toFixed(0)} ms under attack`)
      if (!(during < Math.max(1000, 5 * before) * run.patience))
        run.report({
          kind: 'slow',
          detail: `p99 rose from ${before.toFixed(0)} to ${during.toFixed(0)} ms`,
        })
      const closed = sockets.filter(({ socket }) => socket.destroyed)
      const lived = closed.map(({ life }) => (life.ended - since) / 1000)
      run.note(
        `${closed.length} of ${attackers} attackers cut off, the last after ${Math.max(0, ...lived).toFixed(0)} s`,
      )
      // A request may take 60 s, and that is checked every 30 s.
      if (run.seconds > 100 && closed.length < attackers)
        run.report({ kind: 'broken', detail: `${attackers - closed.length} attackers were never cut off` })
    } finally {
      for (const { socket } of sockets) socket.destroy()
    }
    await run.finish()
  },
}

/** Opens the attackers. Half of them never finish the headers, half the body. */
function attack(
  port: number,
  i: number,
): { socket: Socket; rest: { text: string; at: number }; life: { ended: number } } {
  const life = { ended: 0 }
  const head = 'POST /signin HTTP/1.1\r\nHost: drill\r\nContent-Type: application/json\r\n'
  const slow = i % 2 === 0 ? `X-Slow: ${'a'.repeat(10_000)}` : `{"address":"${'a'.repeat(10_000)}`
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.on('close', () => (life.ended = performance.now()))
  socket.resume()
  socket.write(i % 2 === 0 ? head : `${head}Content-Length: 20000\r\n\r\n`)
  return { socket, rest: { text: slow, at: 0 }, life }
}
