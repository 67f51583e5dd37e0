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
