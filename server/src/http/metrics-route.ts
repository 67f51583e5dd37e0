import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { FastifyInstance } from 'fastify'
import {
  AggregatorRegistry,
  collectDefaultMetrics,
  type MetricValueWithName,
  Registry,
  register,
} from 'prom-client'
import type { Context } from '../context.ts'
import { sameSecret } from '../lib/secrets.ts'
import { requestSeconds } from '../telemetry/metrics.ts'
import { measureLoad } from './load.ts'

type Measured = Awaited<ReturnType<typeof register.getMetricsAsJSON>>

let collecting = false

/** Of each route every slow or refused request is an exemplar, in milliseconds, and of the others one a second. */
const slow = 25
const exemplarEvery = 1000

/**
 * Measures requests, and shows all metrics at /metrics with METRICS_TOKEN, those of all processes of this machine together;
 * without a token it shows nothing. The format is that of Prometheus, or OpenMetrics with exemplars where the scraper accepts it:
 * an exemplar is the `request_id` of a request of that duration.
 */
export function serveMetrics(app: FastifyInstance, { siblings, db, config }: Context): void {
  siblings.onQuestion('metrics', () => register.getMetricsAsJSON())
  const shown = new Map<string, number>()
  app.addHook('onResponse', ({ method, routeOptions, id, trace }, { statusCode, elapsedTime }, done) => {
    const route = routeOptions.url ?? 'none'
    const observed = { labels: { method, route, status: statusCode }, value: elapsedTime / 1000 }
    const now = performance.now()
    const isExemplar =
      elapsedTime >= slow || statusCode >= 400 || now - (shown.get(route) ?? -Infinity) >= exemplarEvery
    if (isExemplar) {
      shown.set(route, now)
      const exemplarLabels: object = trace ? { request_id: id, trace_id: trace.id } : { request_id: id }
      requestSeconds.observe({ ...observed, exemplarLabels })
    } else requestSeconds.observe(observed)
    done()
  })
  const { metricsToken } = config
  if (!metricsToken) return
  if (!collecting) collectDefaultMetrics()
  collecting = true
  app.get('/metrics', async ({ headers }, reply) => {
    const token = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? ''
    if (!sameSecret(token, metricsToken))
      throw new ApiError('unauthorized', 'Send METRICS_TOKEN as "Authorization: Bearer <token>".')
    const type = (headers.accept ?? '').includes('application/openmetrics-text')
      ? Registry.OPENMETRICS_CONTENT_TYPE
      : Registry.PROMETHEUS_CONTENT_TYPE
    reply.header('cache-control', 'no-store').type(type)
    // Without the database the last numbers stay.
    await measureLoad(db).catch(() => {})
    const others = (await siblings.ask('metrics')) as Measured[]
    return textOf([await register.getMetricsAsJSON(), ...others], type)
  })
}

type Value = MetricValueWithName<string> & { exemplar?: object }

/** Makes the sum of what processes have measured, as text. Sums have no exemplars: each gets that of any process. */
async function textOf(all: Measured[], type: string) {
  // Its types know neither the format nor exemplars.
  const sums = (AggregatorRegistry.aggregate as (from: Measured[], type: string) => Registry)(all, type)
  const exemplars = new Map<string, object>()
  for (const { name, values } of all.flat())
    for (const { labels, exemplar } of name === requestMetric ? (values as Value[]) : [])
      if (exemplar) exemplars.set(JSON.stringify(labels), exemplar)
  const requests = await sums.getSingleMetric(requestMetric)?.get()
  for (const value of (requests?.values ?? []) as Value[]) {
    const exemplar = exemplars.get(JSON.stringify(value.labels))
    if (exemplar && value.metricName?.endsWith('_bucket')) value.exemplar = exemplar
  }
  return sums.metrics()
}

const requestMetric = 'parley_request_seconds'
