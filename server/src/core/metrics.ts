import { Counter } from 'prom-client'

export const jobsGivenUp = new Counter({
  name: 'parley_jobs_given_up_total',
  help: 'Jobs that were refused for good or failed too often, by task',
  labelNames: ['task'],
})
