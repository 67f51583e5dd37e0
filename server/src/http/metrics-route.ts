import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, register } from 'prom-client'
import type { Config } from '../config/settings.ts'
import { sameSecret } from '../lib/secrets.ts'
import { requestSeconds } from '../telemetry/metrics.ts'

let collecting = false

/**
 * Measures requests, and shows all metrics at /metrics (Prometheus text) with METRICS_TOKEN;
 * nothing without one set.
 */
export function serveMetrics(app: FastifyInstance, { metricsToken }: Config): void {
  if (!metricsToken) return
  if (!collecting) collectDefaultMetrics()
  collecting = true
  app.addHook('onResponse', async ({ method, routeOptions }, { statusCode, elapsedTime }) => {
    const labels = { method, route: routeOptions.url ?? 'none', status: statusCode }
    requestSeconds.observe(labels, elapsedTime / 1000)
  })
  app.get('/metrics', { schema: { hide: true } }, async ({ headers }, reply) => {
    const token = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? ''
    if (!sameSecret(token, metricsToken))
      throw new ApiError('unauthorized', 'Send METRICS_TOKEN as "Authorization: Bearer <token>".')
    reply.header('cache-control', 'no-store').type(register.contentType)
    return register.metrics()
  })
}
