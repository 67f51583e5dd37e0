// The process that makes the load. It is told one job at a time, over the channel to its parent, and answers a sample.

import { connect, type Db } from '../../server/src/db/pool.ts'
import type { Case } from '../cases/case.ts'
import { cases } from '../cases/index.ts'
import { drive, repeat, type Sample, type Traffic } from './load.ts'
import { openWorld, type Target, type World } from '../service/access.ts'

export type Job =
  /** Adds what the case needs to the database. */
  | { do: 'prepare'; case: string; target: Target }
  /** Makes the requests of the next run. */
  | { do: 'requests'; case: string; target: Target; seconds: number }
  | { do: 'load'; case: string; target: Target; seconds: number }
  | { do: 'floor'; case: string; target: Target; seconds: number; floor: number }
  | { do: 'empty'; port: number; bytes: number; connections: number; seconds: number }

/** Connections a floor may use; the embedded database has 60, and the service keeps 16. */
const most = 32
const warmUp = 0.3

const worlds = new Map<string, World>()
let requests: Traffic | undefined

async function work(job: Job): Promise<Sample | undefined> {
  if (job.do === 'empty') return empty(job)
  const world = worlds.get(job.target.databaseUrl) ?? openWorld(job.target)
  worlds.set(job.target.databaseUrl, world)
  const which = cases.find(({ name }) => name === job.case)!
  if (job.do === 'prepare') {
    await which.prepare?.(world)
    for (const { prepare } of which.floors) await prepare?.(world)
    return undefined
  }
  if (job.do === 'requests') {
    requests = await which.traffic?.(world, job.seconds)
    if (which.saturated) await saturate(world, which)
    return undefined
  }
  if (job.do === 'floor') return floor(world, which, job.floor, job.seconds)
  return which.run?.(world, job.seconds) ?? drive(world.port, requests!, which.connections, job.seconds)
}

/** Sends until the first is refused, or the service shows for five seconds that it takes all. */
async function saturate({ port }: World, { connections }: Case): Promise<void> {
  for (let tries = 0; tries < 20; tries++)
    if ((await drive(port, requests!, connections, 0.25)).kinds['refused']) return
}

async function floor(
  world: World,
  { connections, floors }: Case,
  n: number,
  seconds: number,
): Promise<Sample> {
  await using db = connect(world.databaseUrl, { size: Math.min(most, connections) })
  // As within a transaction, where the service's own code gathers nothing: a statement for each.
  const alone: Db = { ...db, inTransaction: true }
  const run = await floors[n]!.work(world)
  await repeat((i) => run(alone, i), connections, warmUp)
  return await repeat((i) => run(alone, i), connections, seconds)
}

function empty({ port, bytes, connections, seconds }: Job & { do: 'empty' }): Promise<Sample> {
  const request = Buffer.from(`GET /${Math.round(bytes)} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`)
  return drive(port, { requests: [{ bytes: request, kind: '' }], once: false }, connections, seconds)
}

process.on('message', (job: Job) => {
  work(job).then(
    (sample) => process.send!({ sample }),
    (error: Error) => process.send!({ error: error.stack ?? String(error) }),
  )
})
process.on('disconnect', () => process.exit())
