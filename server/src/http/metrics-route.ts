import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { FastifyInstance } from 'fastify'
import { AggregatorRegistry, collectDefaultMetrics, register } from 'prom-client'
import type { Context } from '../context.ts'
import { sameSecret } from '../lib/secrets.ts'
import { countJobs } from '../jobs/queue.ts'
import { jobsWaiting, oldestJob, requestSeconds } from '../telemetry/metrics.ts'

type Measured = Awaited<ReturnType<typeof register.getMetricsAsJSON>>

let collecting = false

/**
 * Measures requests, and shows all metrics at /metrics (Prometheus text) with METRICS_TOKEN, those
 * of all processes of this machine together; nothing without one set.
 */
export function serveMetrics(app: FastifyInstance, ctx: Context): void {
  const { siblings } = ctx
  const { metricsToken } = ctx.config
  if (!metricsToken) return
  if (!collecting) collectDefaultMetrics()
  collecting = true
  siblings.onAsked('metrics', () => register.getMetricsAsJSON())
  app.addHook('onResponse', async ({ method, routeOptions }, { statusCode, elapsedTime }) => {
    const labels = { method, route: routeOptions.url ?? 'none', status: statusCode }
    requestSeconds.observe(labels, elapsedTime / 1000)
  })
  app.get('/metrics', { schema: { hide: true } }, async ({ headers }, reply) => {
    const token = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? ''
    if (!sameSecret(token, metricsToken))
      throw new ApiError('unauthorized', 'Send METRICS_TOKEN as "Authorization: Bearer <token>".')
    reply.header('cache-control', 'no-store').type(register.contentType)
    await measureJobs(ctx)
    const others = (await siblings.ask('metrics')) as Measured[]
    return AggregatorRegistry.aggregate([await register.getMetricsAsJSON(), ...others]).metrics()
  })
}

/** Without the database the last numbers stay. */
async function measureJobs({ db }: Context): Promise<void> {
  const jobs = await countJobs(db).catch(() => undefined)
  if (!jobs) return
  jobsWaiting.set({ state: 'due' }, jobs.due)
  jobsWaiting.set({ state: 'failed' }, jobs.failed)
  oldestJob.set(jobs.oldest ? Math.max(0, db.now() - jobs.oldest.getTime()) / 1000 : 0)
}
