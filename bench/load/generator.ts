// This process makes the load. It receives one job at a time from its parent process, and returns a sample.

import { layouts } from '../../server/src/cluster/layout.ts'
import { connect, type Db } from '../../server/src/db/pool.ts'
import type { Case } from '../cases/case.ts'
import { cases } from '../cases/index.ts'
import { answerJobs } from './worker.ts'
import { drive, repeat, type Sample, type Traffic } from './load.ts'
import { openAccess, type Target, type Access } from '../service/access.ts'

export type Job =
  /** Adds what the case needs to the database. */
  | { do: 'prepare'; case: string; target: Target }
  /** Makes the requests of the next run. */
  | { do: 'requests'; case: string; target: Target; seconds: number }
  | { do: 'load'; case: string; target: Target; seconds: number }
  | { do: 'baseline'; case: string; target: Target; seconds: number; baseline: number }
  | { do: 'empty'; port: number; bytes: number; connections: number; seconds: number }

/** The maximum number of connections of a baseline; the embedded database has 60, and the service holds 16. */
const maxConnections = 32
const warmUp = 0.3

const accesses = new Map<string, Access>()
let requests: Traffic | undefined

async function work(job: Job): Promise<Sample | undefined> {
  if (job.do === 'empty') return empty(job)
  const access = accesses.get(job.target.databaseUrl) ?? openAccess(job.target)
  accesses.set(job.target.databaseUrl, access)
  const which = cases.find(({ name }) => name === job.case)!
  if (job.do === 'prepare') {
    await which.prepare?.(access)
    for (const { prepare } of which.baselines) await prepare?.(access)
    return undefined
  }
  if (job.do === 'requests') {
    requests = await which.traffic?.(access, job.seconds)
    if (which.saturated) await saturate(access, which)
    return undefined
  }
  if (job.do === 'baseline') return baseline(access, which, job.baseline, job.seconds)
  return which.run?.(access, job.seconds) ?? drive(access.port, requests!, which.connections, job.seconds)
}

/** Sends until the first request is refused, for five seconds at most. */
async function saturate({ port }: Access, { connections }: Case): Promise<void> {
  for (let tries = 0; tries < 20; tries++)
    if ((await drive(port, requests!, connections, 0.25)).kinds['refused']) return
}

async function baseline(
  access: Access,
  { connections, baselines }: Case,
  n: number,
  seconds: number,
): Promise<Sample> {
  await using db = connect(access.databaseUrl, {
    layout: layouts.machine,
    size: Math.min(maxConnections, connections),
  })
  // It runs as within a transaction, where the service does not combine reads: one statement for each.
  const alone: Db = { ...db, inTransaction: true }
  const run = await baselines[n]!.work(access)
  await repeat((i) => run(alone, i), connections, warmUp)
  return await repeat((i) => run(alone, i), connections, seconds)
}

function empty({ port, bytes, connections, seconds }: Job & { do: 'empty' }): Promise<Sample> {
  const request = Buffer.from(`GET /${Math.round(bytes)} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`)
  return drive(port, { requests: [{ bytes: request, kind: '' }], once: false }, connections, seconds)
}

answerJobs(work)
