// This measures event fan-out: members of the largest chat read GET /v1/events (Server-Sent Events), and one member posts. A run
// measures the time until the last of them has the message.

import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Case } from './case.ts'
import { blockReader } from '../../testing/service/event-blocks.ts'
import { connectTo } from '../load/http.ts'
import { chatName, person } from '../data/layout.ts'
import { latencyOf, type Sample } from '../load/load.ts'
import { request, type Access } from '../service/access.ts'

/** Milliseconds between two messages. */
const pause = 200
/** Milliseconds to wait for a message. */
const timeout = 10_000

export const fanOut = (streams: number): Case => ({
  name: `fan-out-${streams}`,
  about: `a message to ${streams.toLocaleString('en')} open event streams, until the last has it`,
  connections: streams,
  run: (access, seconds) => run(access, Math.min(streams, access.layout.members), seconds),
  baselines: [],
})

async function run(access: Access, streams: number, seconds: number): Promise<Sample> {
  const mark = `fan-out-${Date.now()}-`
  let received = 0
  let expected: string | undefined
  let done = () => {}
  const onBlock = (block: string) => {
    if (expected !== undefined && block.includes(expected) && ++received === streams) done()
  }
  const open: net.Socket[] = []
  try {
    for (let n = 0; n < streams; n++) {
      const bytes = await request(access, person(n), 'GET', '/v1/events')
      const { socket, status } = await openStream(access.port, bytes, onBlock)
      open.push(socket)
      // An older build has no events.
      if (status === 404) return nothing('this build has no GET /v1/events')
      if (status !== 200) return nothing(`GET /v1/events answered ${status} to stream ${n + 1}`)
    }
    const start = performance.now()
    const poster = await connectTo(access.port, () => {})
    const times: number[] = []
    let lost = 0
    for (let n = 0; performance.now() - start < seconds * 1000 || n < 3; n++) {
      const body = { fromaddr: person(0), nftaddr: chatName(0), message: `${mark}${n}.` }
      const bytes = await request(access, person(0), 'POST', '/v1/create_groupchatitem', body)
      ;[expected, received] = [body.message, 0]
      const everyone = new Promise<void>((resolve) => (done = resolve))
      const sent = performance.now()
      poster.send(bytes, () => {})
      await Promise.race([everyone, sleep(timeout, undefined, { ref: false })])
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
    // It closes a few at a time: thousands of connections that break at once would disturb the next case.
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

/** Opens one stream; settles with the status of the answer, then hands on each block. */
export function openStream(port: number, bytes: Buffer, onBlock: (block: string) => void) {
  return new Promise<{ socket: net.Socket; status: number }>((resolve, reject) => {
    const read = blockReader(onBlock)
    const socket = net.connect({ port, host: '127.0.0.1' }, () => socket.write(bytes))
    socket.setEncoding('latin1')
    socket.once('error', reject)
    socket.once('data', (head: string) => resolve({ socket, status: Number(head.slice(9, 12)) }))
    socket.on('data', read)
  })
}
