import { Counter, Gauge, Histogram } from 'prom-client'

export const jobsGivenUp = new Counter({
  name: 'parley_jobs_given_up_total',
  help: 'Jobs that failed for good or too often, by task',
  labelNames: ['task'],
})

export const requestSeconds = new Histogram({
  name: 'parley_request_seconds',
  help: 'How long requests took, by method, pattern of the route and status',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
})

// With a label, because a gauge without one is 0 where there is no embedded database.
export const diskBytes = new Gauge({
  name: 'parley_disk_bytes',
  help: 'Free bytes of the disk of the embedded database, and the reserve below which writes are refused',
  labelNames: ['kind'],
})

export const writesRefused = new Gauge({
  name: 'parley_writes_refused',
  help: '1 while writes are refused because the disk of the embedded database has less than its reserve',
})

// With labels, because without them they are 0 where there is no bus.
export const busConnected = new Gauge({
  name: 'parley_bus_connected',
  help: '1 while this process is connected to a server of NATS_URL, 0 while it is not',
  labelNames: ['bus'],
})

// With labels, because without them they are 0 where there is no standby. Of several processes the worst one counts.
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

export const looks = new Counter({
  name: 'parley_event_looks_total',
  help: 'Looks at the log of events: in the database, of another instance from the bus, and missed ones of the bus, after each of which the database is asked',
  labelNames: ['from'],
})

export const problems = new Counter({
  name: 'parley_problems_total',
  help: 'Requests that were answered by an error, by its code: rate_limited is what limits have refused',
  labelNames: ['code'],
})

export const openStreams = new Gauge({ name: 'parley_event_streams', help: 'Event streams that are open' })

// Every process reads the same of the database.
export const jobsWaiting = new Gauge({
  name: 'parley_jobs_waiting',
  help: 'Jobs that are due and wait: those that were not tried yet, and those that have failed',
  labelNames: ['state'],
  aggregator: 'max',
})

export const oldestJob = new Gauge({
  name: 'parley_oldest_job_seconds',
  help: 'For how long the oldest job that is due has waited; 0 when none waits',
  aggregator: 'max',
})

interface Connections {
  totalCount: number
  idleCount: number
  waitingCount: number
  ended: boolean
}
const pools = new Map<Connections, string>()

const poolConnections = new Gauge({
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

/** Shows the connections of a pool and of its second one for long reads, until they end. */
export function measurePool(name: string, pool: Connections, long: Connections): void {
  pools.set(pool, name).set(long, `${name}, long reads`)
}
