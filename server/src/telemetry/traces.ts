// Sends OpenTelemetry traces where OTEL_EXPORTER_OTLP_ENDPOINT is set: of requests, of their database statements, of jobs. A span
// has no personal data: routes are named by their pattern, statements by their first words. Without the setting nothing is
// loaded, and `tracing` is undefined: who begins a span compares that, and calls nothing here.

import { randomUUID } from 'node:crypto'
import type * as OpenTelemetry from '@opentelemetry/api'
import type { Attributes, Context, Link, Span, SpanKind, Tracer } from '@opentelemetry/api'
import type { Config } from '../config/settings.ts'

interface Tracing {
  api: typeof OpenTelemetry
  tracer: Tracer
  readParent: (headers: object) => Context
}

/** Makes spans; it is undefined where tracing is off. */
export let tracing: Tracing | undefined

/** Begins to send spans to the collector. Disposing sends the spans that wait, for two seconds at most. */
export async function startTraces(
  { otlpEndpoint, traceShare }: Pick<Config, 'otlpEndpoint' | 'traceShare'>,
  version: string,
): Promise<AsyncDisposable | undefined> {
  if (otlpEndpoint === undefined) return undefined
  const api = await import('@opentelemetry/api')
  const [sdk, hooks, { resourceFromAttributes }, { W3CTraceContextPropagator }, { OTLPTraceExporter }] =
    await Promise.all([
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/context-async-hooks'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/core'),
      import('@opentelemetry/exporter-trace-otlp-http'),
    ])
  const share = new sdk.TraceIdRatioBasedSampler(traceShare)
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({
      'service.name': process.env['OTEL_SERVICE_NAME'] ?? 'parley',
      'service.version': version,
      'service.instance.id': randomUUID(),
    }),
    // The sampling flag in a client's `traceparent` decides nothing here.
    sampler: new sdk.ParentBasedSampler({
      root: share,
      remoteParentSampled: share,
      remoteParentNotSampled: share,
    }),
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter: new OTLPTraceExporter({
          url: `${otlpEndpoint.replace(/\/$/, '')}/v1/traces`,
          timeoutMillis: 3_000,
        }),
      }),
    ],
  })
  api.context.setGlobalContextManager(new hooks.AsyncLocalStorageContextManager().enable())
  const propagator = new W3CTraceContextPropagator()
  tracing = {
    api,
    tracer: provider.getTracer('parley', version),
    readParent: (headers) => propagator.extract(api.ROOT_CONTEXT, headers, api.defaultTextMapGetter),
  }
  return {
    async [Symbol.asyncDispose]() {
      tracing = undefined
      const late = new Promise((resolve) => setTimeout(resolve, 2_000).unref())
      // When the collector is away, the spans are lost.
      await Promise.race([provider.shutdown().catch(() => {}), late])
      api.context.disable()
    },
  }
}

/** This is the trace of a request, from its first hook to its response. */
export interface RequestTrace {
  /** Runs a part of the request: its database statements belong to the trace. */
  within: <T>(work: () => T) => T
  /** This is the trace id, 32 hexadecimal digits. */
  id: string
  end: (status: number) => void
}

/** Begins the span of a request, below that of its `traceparent` (W3C Trace Context). */
export function traceRequest(
  { api, tracer, readParent }: Tracing,
  method: string,
  route: string,
  id: string,
  headers: object,
): RequestTrace {
  const parent = readParent(headers)
  const attributes = { 'http.request.method': method, 'http.route': route, 'parley.request_id': id }
  const span = tracer.startSpan(`${method} ${route}`, { kind: api.SpanKind.SERVER, attributes }, parent)
  const own = api.trace.setSpan(parent, span)
  return {
    within: (work) => api.context.with(own, work),
    id: span.spanContext().traceId,
    end(status) {
      span.setAttribute('http.response.status_code', status)
      if (status >= 500) span.setStatus({ code: api.SpanStatusCode.ERROR })
      span.end()
    },
  }
}

/** Runs a statement in a span with its first words, such as `select from direct_messages`. */
export const traceStatement = <T>(on: Tracing, sql: string, work: () => Promise<T>): Promise<T> =>
  inSpan(on, summaryOf(sql), 'CLIENT', work, {
    'db.system.name': 'postgresql',
    'db.query.summary': summaryOf(sql),
  })

/** Runs a job in a trace of its own. */
export function traceJob<T>(on: Tracing, task: string, work: () => Promise<T>): Promise<T> {
  const { context, ROOT_CONTEXT } = on.api
  const attributes = { 'messaging.operation.type': 'process', 'parley.task': task }
  return context.with(ROOT_CONTEXT, () => inSpan(on, `job ${task}`, 'CONSUMER', work, attributes))
}

/** Returns the current trace, for a batch that carries this call together with others. */
export const currentTrace = ({ api }: Tracing): Context => api.context.active()

const mostLinks = 128

/** Runs a batch below the trace of its first call, with links to the others. */
export function traceBatch<T>(
  on: Tracing,
  name: string,
  calls: { trace: Context | undefined }[],
  work: () => Promise<T>,
): Promise<T> {
  const { api } = on
  const links = calls
    .slice(1, 1 + mostLinks)
    .map(({ trace }) => trace && api.trace.getSpanContext(trace))
    .filter((one) => one !== undefined)
    .map((one): Link => ({ context: one }))
  const attributes = { 'db.operation.batch.size': calls.length }
  return api.context.with(calls[0]?.trace ?? api.ROOT_CONTEXT, () =>
    inSpan(on, `batch ${name}`, 'INTERNAL', work, attributes, links),
  )
}

async function inSpan<T>(
  { api, tracer }: Tracing,
  name: string,
  kind: keyof typeof SpanKind,
  work: () => Promise<T>,
  attributes: Attributes,
  links: Link[] = [],
): Promise<T> {
  const span: Span = tracer.startSpan(name, { kind: api.SpanKind[kind], attributes, links })
  try {
    return await api.context.with(api.trace.setSpan(api.context.active(), span), work)
  } catch (error) {
    // The message of an error may quote what people wrote.
    span.setStatus({ code: api.SpanStatusCode.ERROR, message: (error as { code?: string }).code ?? 'failed' })
    throw error
  } finally {
    span.end()
  }
}

const summaries = new Map<string, string>()

/** Returns what a statement does and its table or function: words of the statement itself, never a value. */
function summaryOf(sql: string): string {
  const known = summaries.get(sql)
  if (known !== undefined) return known
  const verb = /\b(select|insert|update|delete|with|begin|commit|listen|notify)\b/i
    .exec(sql)?.[1]
    ?.toLowerCase()
  const [, called] = /\b(\w+_v\d+)\s*\(/.exec(sql) ?? []
  const [, table] = /\b(?:from|into|update|join)\s+([a-z_]\w*)/i.exec(sql) ?? []
  const summary = called ?? [verb ?? 'statement', table].filter(Boolean).join(' ')
  if (summaries.size < 2_000) summaries.set(sql, summary)
  return summary
}
