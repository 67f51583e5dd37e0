// Event fan-out: so many wallets of the largest chat listen to GET /v1/events (Server-Sent Events), one member posts.
// What counts is when the last of them has the message.

import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Case } from './case.ts'
import { connectTo } from '../load/http.ts'
import { chatName, person } from '../data/layout.ts'
import { latencyOf, type Sample } from '../load/load.ts'
import { request, type World } from '../service/access.ts'

const pause = 200
const patience = 10_000

export const fanOut = (streams: number): Case => ({
  name: `fan-out-${streams}`,
  about: `a message to ${streams.toLocaleString('en')} open event streams, until the last has it`,
  connections: streams,
  run: (world, seconds) => run(world, Math.min(streams, world.layout.members), seconds),
  floors: [],
})

async function run(world: World, streams: number, seconds: number): Promise<Sample> {
  const mark = `fan-out-${Date.now()}-`
  let received = 0
  let expected: string | undefined
  let done = () => {}
  const onEvent = (text: string) => {
    if (expected !== undefined && text.includes(expected) && ++received === streams) done()
  }
  const open: net.Socket[] = []
  try {
    for (let n = 0; n < streams; n++) {
      const bytes = await request(world, person(n), 'GET', '/v1/events')
      const { socket, status } = await listen(world.port, bytes, onEvent)
      open.push(socket)
      // Not every build has events.
      if (status === 404) return nothing('this build has no GET /v1/events')
      if (status !== 200) return nothing(`GET /v1/events answered ${status} to stream ${n + 1}`)
    }
    const start = performance.now()
    const poster = await connectTo(world.port, () => {})
    const times: number[] = []
    let lost = 0
    for (let n = 0; performance.now() - start < seconds * 1000 || n < 3; n++) {
      const body = { fromaddr: person(0), nftaddr: chatName(0), message: `${mark}${n}.` }
      const bytes = await request(world, person(0), 'POST', '/v1/create_groupchatitem', body)
      ;[expected, received] = [body.message, 0]
      const everyone = new Promise<void>((resolve) => (done = resolve))
      const sent = performance.now()
      poster.send(bytes, () => {})
      await Promise.race([everyone, sleep(patience, undefined, { ref: false })])
      if (received < streams) lost += streams - received
      else times.push(performance.now() - sent)
      await sleep(pause)
    }
    poster.close()
    const lasted = (performance.now() - start) / 1000
    const perSecond = (times.length * streams) / (lasted - (times.length * pause) / 1000)
    return {
      seconds: lasted,
      latency: latencyOf(times),
      perSecond,
      bytes: 0,
      kinds: {},
      failed: lost ? { lost } : {},
    }
  } finally {
    // A few at a time: thousands that break at once are another case.
    for (const [n, socket] of open.entries()) {
      socket.destroy()
      if (n % 10 === 0) await sleep(1)
    }
  }
}

const nothing = (skipped: string): Sample => ({
  seconds: 0,
  latency: latencyOf([]),
  perSecond: Number.NaN,
  bytes: 0,
  kinds: {},
  failed: {},
  skipped,
})

/** Opens one stream; settles with the head of the answer, then hands on each event once. */
function listen(port: number, bytes: Buffer, onEvent: (text: string) => void) {
  return new Promise<{ socket: net.Socket; status: number }>((resolve, reject) => {
    let text = ''
    const socket = net.connect({ port, host: '127.0.0.1' }, () => socket.write(bytes))
    socket.once('error', reject)
    socket.on('data', (data: Buffer) => {
      if (text === '' && data.length > 12) resolve({ socket, status: Number(data.toString('latin1', 9, 12)) })
      text += data.toString('latin1')
      // An event ends with an empty line.
      for (let end; (end = text.indexOf('\n\n')) !== -1; text = text.slice(end + 2))
        onEvent(text.slice(0, end))
    })
  })
}
