// This measures a crowd that reacts to one message: a thousand reactions a second to a post of the largest chat, of which some
// members have open streams. Beside the latency it counts the rows that a reaction writes, and the frames that a stream gets.

import type net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { openStream } from './fan-out.ts'
import type { Case } from './case.ts'
import { chatName, person } from '../data/layout.ts'
import { connectTo } from '../load/http.ts'
import { latencyOf, type Sample } from '../load/load.ts'
import { request, type Access } from '../service/access.ts'

const perSecond = 1000
const wallets = 500
const connections = 64
const streams = 100
/** PostgreSQL counts the rows of a session at most a second later. */
const untilCounted = 1500

export const reactingToOne: Case = {
  name: 'react-one',
  about: `${perSecond.toLocaleString('en')} reactions a second to one message, with ${streams} open event streams`,
  connections,
  run,
  baselines: [],
}

async function run(access: Access, seconds: number): Promise<Sample> {
  const [post] = await access.db.query<{ id: number }>(
    'select id from group_messages where chat = $1 order by id desc limit 1',
    [chatName(0)],
  )
  const bodies = [['👍'], ['🎉']]
  const requests = await Promise.all(
    bodies.flatMap((values) =>
      Array.from({ length: wallets }, (_, n) =>
        request(access, person(n), 'PUT', `/v1/reactions/${post!.id}`, { values }),
      ),
    ),
  )
  let frames = 0
  const open: net.Socket[] = []
  try {
    for (let n = 0; n < streams; n++) {
      const bytes = await request(access, person(wallets + n), 'GET', '/v1/events')
      const { socket } = await openStream(access.port, bytes, (block) => {
        if (block.includes('"type":"reacted"')) frames++
      })
      open.push(socket)
    }
    const before = await countRows(access)
    const { times, failed, lasted } = await send(access.port, requests, seconds)
    await sleep(untilCounted)
    return {
      seconds: lasted,
      latency: latencyOf(times),
      perSecond: times.length / lasted,
      bytes: 0,
      kinds: {},
      failed,
      extra: {
        'rows for each reaction': ((await countRows(access)) - before) / times.length,
        'frames a second for each stream': frames / streams / lasted,
      },
    }
  } finally {
    for (const socket of open) socket.destroy()
  }
}

/** Sends each request when it is due; its latency counts from then. */
async function send(port: number, requests: Buffer[], seconds: number) {
  const times: number[] = []
  const failed: Record<string, number> = {}
  const count = Math.ceil(seconds * perSecond)
  const start = performance.now()
  let next = 0
  const loop = async () => {
    const connection = await connectTo(port, () => {})
    for (let n = next++; n < count; n = next++) {
      const due = start + (n * 1000) / perSecond
      await sleep(Math.max(0, due - performance.now()))
      const status = await new Promise<number>((resolve) =>
        connection.send(requests[n % requests.length]!, (answer) => resolve(answer.status)),
      )
      if (status < 300) times.push(performance.now() - due)
      else failed[status] = (failed[status] ?? 0) + 1
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: connections }, loop))
  return { times, failed, lasted: (performance.now() - start) / 1000 }
}

async function countRows({ db }: Access): Promise<number> {
  const [row] = await db.query<{ n: number }>(
    'select sum(n_tup_ins + n_tup_upd + n_tup_del)::float8 as n from pg_stat_user_tables',
  )
  return row!.n
}
