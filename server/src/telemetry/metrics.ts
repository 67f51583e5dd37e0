import { Counter, Histogram } from 'prom-client'

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
