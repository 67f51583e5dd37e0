import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Counter, Histogram, register } from 'prom-client'
import type { Config } from '../config/settings.ts'
import { sameSecret } from '../lib/secrets.ts'

export const jobsGivenUp = new Counter({
  name: 'parley_jobs_given_up_total',
  help: 'Jobs that were refused for good or failed too often, by task',
  labelNames: ['task'],
})

const requests = new Histogram({
  name: 'parley_request_seconds',
  help: 'How long requests took, by method, pattern of the route and status',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
})

let collecting = false

/** Counts requests and shows all counters at /metrics (Prometheus text) to whoever has the token; nothing without one set. */
export function serveMetrics(app: FastifyInstance, { metricsToken }: Config): void {
  if (!metricsToken) return
  if (!collecting) collectDefaultMetrics()
  collecting = true
  app.addHook('onResponse', async ({ method, routeOptions }, { statusCode, elapsedTime }) => {
    requests.observe({ method, route: routeOptions.url ?? 'none', status: statusCode }, elapsedTime / 1000)
  })
  app.get('/metrics', { schema: { hide: true } }, async ({ headers }, reply) => {
    const token = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? ''
    if (!sameSecret(token, metricsToken))
      throw new ApiError('unauthorized', 'Send METRICS_TOKEN as "Authorization: Bearer <token>".')
    reply.header('cache-control', 'no-store').type(register.contentType)
    return register.metrics()
  })
}
