// This file has all that the service counts and measures. docs/operations.md lists all metrics.

import { Counter, Gauge, Histogram, register, Registry } from 'prom-client'

// Exemplars need it; which format a scraper gets is decided at each scrape (http/metrics-route.ts).
// @ts-expect-error its types know one format only
register.setContentType(Registry.OPENMETRICS_CONTENT_TYPE)

export const jobsGivenUp = new Counter({
  name: 'parley_jobs_given_up_total',
  help: 'Jobs that failed for good or too often, by task',
  labelNames: ['task'],
})

/** The bounds are in seconds. */
export const requestBuckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

export const requestSeconds = new Histogram({
  name: 'parley_request_seconds',
  help: 'How long requests took, by method, pattern of the route and status',
  labelNames: ['method', 'route', 'status'],
  buckets: requestBuckets,
  enableExemplars: true,
})

export const limitRefusals = new Counter({
  name: 'parley_limit_refusals_total',
  help: 'What was refused because a caller did too much, by the name of the limit',
  labelNames: ['limit'],
})

export const quotaUses = new Counter({
  name: 'parley_quota_uses_total',
  help: 'What wallets have used of their quotas of a day, by quota: bytes, changes, strangers, comments, communities, reports',
  labelNames: ['quota'],
})

export const batchItems = new Histogram({
  name: 'parley_batch_items',
  help: 'How many requests shared a statement, by what they did',
  labelNames: ['batch'],
  buckets: [1, 2, 4, 8, 16, 32, 64, 128],
})

export const waiting = new Gauge({
  name: 'parley_waiting',
  help: 'What waits in line on this instance: requests of callers that have many, long reads, pictures, questions about NFTs, and what the next batch takes',
  labelNames: ['queue'],
})

export const heldBytes = new Gauge({
  name: 'parley_held_bytes',
  help: 'Bytes of answers that wait for clients to read them',
})

export const jobSeconds = new Histogram({
  name: 'parley_job_seconds',
  help: 'How long jobs took, by task and outcome: done, failed (tried again later), given-up',
  labelNames: ['task', 'outcome'],
  buckets: [0.01, 0.05, 0.25, 1, 5, 30, 120],
})

export const eventSeconds = new Histogram({
  name: 'parley_event_seconds',
  help: 'How long after it was stored a message was handed to the open event streams',
  buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30],
})

export const streamsCut = new Counter({
  name: 'parley_event_streams_cut_total',
  help: 'Event streams that were closed because their client reads too slowly, has not caught up in time, or the log could not be read',
  labelNames: ['reason'],
})

export const mails = new Counter({
  name: 'parley_mails_total',
  help: 'Mails that the mail server took, has refused for good, or did not take now',
  labelNames: ['outcome'],
})

export const pushes = new Counter({
  name: 'parley_pushes_total',
  help: 'Pushes by what became of them: sent, gone (the browser accepts none), refused, too-large, later (tried again)',
  labelNames: ['outcome'],
})

export const webhookDeliveries = new Counter({
  name: 'parley_webhook_deliveries_total',
  help: 'Tries to tell a webhook: taken, refused by an answer, no-answer',
  labelNames: ['outcome'],
})

export const chainSeconds = new Histogram({
  name: 'parley_chain_request_seconds',
  help: 'How long the RPC nodes of chains took to answer, by chain id',
  labelNames: ['chain', 'outcome'],
  buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
})

export const outsideFetches = new Counter({
  name: 'parley_outside_fetches_total',
  help: 'Files that were fetched from addresses that others have chosen: answered, refused by a rule, failed',
  labelNames: ['outcome'],
})

// The gauge has a label, because one without labels is 0 where there is no embedded database.
export const diskBytes = new Gauge({
  name: 'parley_disk_bytes',
  help: 'Free bytes of the disk of the embedded database, and the reserve below which writes are refused',
  labelNames: ['kind'],
})

export const writesRefused = new Gauge({
  name: 'parley_writes_refused',
  help: '1 while writes are refused because the disk of the embedded database has less than its reserve',
})

// These gauges have labels, because without them they are 0 where there is no standby. Of several processes the worst one counts.
export const standbyBehind = new Gauge({
  name: 'parley_standby_behind_seconds',
  help: 'For how long the standby of READ_DATABASE_URL has not shown all that the primary had, looked at once a second; 0 while it shows all',
  labelNames: ['standby'],
  aggregator: 'max',
})

export const standbyUsable = new Gauge({
  name: 'parley_standby_usable',
  help: '1 while the standby of READ_DATABASE_URL answers and follows the primary, 0 while all is read from the primary instead',
  labelNames: ['standby'],
  aggregator: 'min',
})

export const logPolls = new Counter({
  name: 'parley_log_polls_total',
  help: 'Polls of the log of events, for the event streams of this process',
})

export const problems = new Counter({
  name: 'parley_problems_total',
  help: 'Requests that were answered by an error, by its code: rate_limited is what limits have refused',
  labelNames: ['code'],
})

export const openStreams = new Gauge({ name: 'parley_event_streams', help: 'Event streams that are open' })

// Every process reads the same value from the database.
export const jobsWaiting = new Gauge({
  name: 'parley_jobs_waiting',
  help: 'Jobs that are due and wait, by task: those that were not tried yet, and those that have failed',
  labelNames: ['task', 'state'],
  aggregator: 'max',
})

export const oldestJob = new Gauge({
  name: 'parley_oldest_job_seconds',
  help: 'For how long the oldest job that is due has waited; 0 when none waits',
  aggregator: 'max',
})

export const readersBehind = new Gauge({
  name: 'parley_log_reader_behind_seconds',
  help: 'For how long the oldest message waits that a reader of the log has not read: dm-mails sends mails about messages',
  labelNames: ['reader'],
  aggregator: 'max',
})

interface Connections {
  totalCount: number
  idleCount: number
  waitingCount: number
  ended: boolean
}
const pools = new Map<Connections, string>()

export const poolConnections = new Gauge({
  name: 'parley_pool_connections',
  help: 'Connections to the database that are used or idle, and requests that wait for one, by pool',
  labelNames: ['pool', 'state'],
  collect: countConnections,
})

function countConnections(): void {
  poolConnections.reset()
  for (const [connections, pool] of pools) {
    if (connections.ended) pools.delete(connections)
    poolConnections.inc({ pool, state: 'used' }, connections.totalCount - connections.idleCount)
    poolConnections.inc({ pool, state: 'idle' }, connections.idleCount)
    poolConnections.inc({ pool, state: 'waiting' }, connections.waitingCount)
  }
}

/** Shows the connections of a pool and of its second pool for long reads, until these end. */
export function measurePool(name: string, pool: Connections, long: Connections): void {
  pools.set(pool, name).set(long, `${name}, long reads`)
}

export const telegrams = new Counter({
  name: 'parley_telegrams_total',
  help: 'Messages by Telegram by what became of them: sent, gone (the chat accepts none), refused, later (tried again)',
  labelNames: ['outcome'],
})
