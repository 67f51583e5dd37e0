import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import cors from '@fastify/cors'
import { defaultMaxBody } from '@parley/sdk/contract/endpoint.ts'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify'
import helmet, { type HelmetOptions } from 'helmet'
import type { Context } from '../context.ts'
import { parseBodies } from './bodies.ts'
import { compressAnswers } from './compress.ts'
import { limitConnections } from './connections.ts'
import { rewriteDocs } from './docs-pages.ts'
import { answer, clientErrorHandler, handleErrors } from './errors.ts'
import { limitMediaHost } from './media-host.ts'
import { notFound } from './not-found.ts'
import { type RequestTrace, traceRequest, tracing } from '../telemetry/traces.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Its requests count in their own class; those of other routes as `static`. */
    countsItself?: true
    /** Its responses are JSON. */
    isData?: boolean
    /** This is false where the headers of CORS are always the same. */
    cors?: false
  }
  interface FastifyRequest {
    /** This is null where tracing is off. */
    trace: RequestTrace | null
  }
}

const maxUrl = 8 * 1024

/** Validation is ours (validation.ts) and responses are already text. Fastify alone would load two compilers for schemas. */
export const withoutSchemas: NonNullable<FastifyServerOptions['schemaController']> = {
  compilersFactory: { buildValidator: neverCompiled, buildSerializer: neverCompiled },
}

function neverCompiled(): never {
  throw new Error('A route has a schema: the contract alone has schemas (reference.ts shows them)')
}

/** Makes an HTTP server with everything that is the same for every endpoint: errors, bodies, headers, limits on size. */
export async function createServer(ctx: Context): Promise<FastifyInstance> {
  const { config, limits, log } = ctx
  const loggerInstance: FastifyBaseLogger = log
  const app = fastify({
    loggerInstance,
    schemaController: withoutSchemas,
    logController: new LogController({ disableRequestLogging: true }),
    requestIdHeader: false,
    bodyLimit: defaultMaxBody,
    trustProxy: config.trustedProxies.length > 0 ? config.trustedProxies : false,
    forceCloseConnections: 'idle',
    // While the server closes, requests over open connections still get responses.
    return503OnClosing: false,
    // This is above the longest allowed URL, so that a longer one gets its own response.
    http: {
      maxHeaderSize: 32 * 1024,
      // This counts from the first byte, or from the connection: slow senders of headers are cut off after it.
      headersTimeout: Math.min(config.headersTimeout, config.requestTimeout) * 1000,
      connectionsCheckingInterval: 1_000,
    },
    requestTimeout: config.requestTimeout * 1000,
    // Without traffic in either direction for two minutes, the client has gone, or no longer reads. Responses begin within 30 s.
    connectionTimeout: 120_000,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: maxUrl },
    rewriteUrl: ({ url }) => (url!.startsWith('/docs') ? rewriteDocs(url!) : url!),
    frameworkErrors: (error, request, reply) =>
      void answer(error, request, reply.headers(corsHeaders(config.corsOrigins, request))),
    clientErrorHandler,
  })
  app.decorateRequest('caller', null)
  app.decorateRequest('who', null)
  app.decorateRequest('isSpent', () => false)
  traceRequests(app)
  handleErrors(app)
  parseBodies(app)
  await setHeaders(app, ctx)
  compressAnswers(app)
  limitConnections(app, config, log)
  // Hooks of every request call `done` in place of returning a promise, which would cost a turn of microtasks each. What they throw
  // is an error of the request as well.
  app.addHook('onRequest', (request, reply, done) => {
    const { url, raw, routeOptions } = request
    if (hasTwoHosts(raw.rawHeaders))
      throw new ApiError('bad_request', 'Send one Host header: this request has more (RFC 9112, 3.2).')
    if ((raw.url ?? url).length > maxUrl)
      throw new ApiError('uri_too_long', `The URL must be at most ${maxUrl} bytes long.`)
    if (!routeOptions.config?.countsItself) limits.take('static', null, request, reply)
    done()
  })
  limitMediaHost(app, config)
  const level = config.accessLog ? 'info' : 'debug'
  app.addHook('onResponse', (request, reply, done) => {
    // The log has the pattern of the route, never the URL: that contains addresses, mail addresses and codes.
    if (log.isLevelEnabled(level))
      request.log[level](
        {
          method: request.method,
          route: request.routeOptions.url ?? 'none',
          status: reply.statusCode,
          ms: Math.round(reply.elapsedTime),
        },
        'answered',
      )
    done()
  })
  app.setNotFoundHandler(notFound)
  return app
}

/** Node.js reads only the first host, a proxy in front perhaps the last. */
function hasTwoHosts(rawHeaders: string[]): boolean {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]!.length === 4 && rawHeaders[i]!.toLowerCase() === 'host') hosts++
  return hosts > 1
}

/** Pages of other sites may send these. The last three ask for a part of a file, or for one that has changed. */
const allowedHeaders = [
  'Authorization',
  'Content-Type',
  'Accept',
  'Idempotency-Key',
  'Last-Event-ID',
  'Range',
  'If-None-Match',
  'If-Range',
].join(', ')

/** Pages of other sites may read these. The last four describe a file. */
const exposedHeaders = [
  'Authorization',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Idempotency-Replayed',
  'Content-Range',
  'ETag',
  'Content-Disposition',
  'Accept-Ranges',
].join(', ')

/** Sets the headers that every response has: CORS, security, and `connection: close` on an instance that is about to stop. */
async function setHeaders(app: FastifyInstance, { config, lifecycle }: Context): Promise<void> {
  await app.register(cors, {
    origin: config.corsOrigins,
    credentials: config.corsOrigins !== '*',
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
    allowedHeaders,
    exposedHeaders,
    maxAge: 600,
    strictPreflight: false,
  })
  // With any origin the headers are always the same: the plugin then does preflights alone.
  if (config.corsOrigins === '*')
    app.addHook('onRoute', (route) => {
      if (route.method !== 'OPTIONS') route.config = { ...route.config, cors: false }
    })
  const options = {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
    },
    crossOriginResourcePolicy: { policy: 'cross-origin' as const },
    strictTransportSecurity: config.publicUrl.startsWith('https:'),
  } satisfies HelmetOptions
  const ofPages = headersFor(securityHeaders(options))
  const ofData = headersFor(securityHeaders({ ...options, ...forPagesAlone }))
  app.addHook('onRequest', ({ routeOptions: { config: of } }, reply, done) => {
    const { always, ofAnyOrigin } = of?.isData ? ofData : ofPages
    reply.headers(of?.cors === false ? ofAnyOrigin : always)
    if (lifecycle.draining) reply.header('connection', 'close')
    done()
  })
}

/** These headers say something to a browser that shows a page, and nothing about JSON: each costs every response. */
const forPagesAlone = {
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
} satisfies HelmetOptions

const headersFor = (always: OutgoingHttpHeaders) => ({
  always,
  ofAnyOrigin: {
    ...always,
    'access-control-allow-origin': '*',
    'access-control-expose-headers': exposedHeaders,
  },
})

/** Returns the headers that helmet sets, computed once rather than for each response. */
function securityHeaders(options: HelmetOptions): OutgoingHttpHeaders {
  const response = new ServerResponse(new IncomingMessage(new Socket()))
  helmet(options)(response.req, response, () => {})
  return { ...response.getHeaders() }
}

/** Returns the headers of CORS for errors that the framework sends before any hook has run. */
function corsHeaders(origins: '*' | string[], { headers }: FastifyRequest): Record<string, string> {
  const always = { 'x-content-type-options': 'nosniff' }
  if (origins === '*') return { ...always, 'access-control-allow-origin': '*' }
  const { origin } = headers
  if (!origin || !origins.includes(origin)) return { ...always, vary: 'Origin' }
  return {
    ...always,
    vary: 'Origin',
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
  }
}

/** Makes a span of each request, where spans are made. */
function traceRequests(app: FastifyInstance): void {
  app.decorateRequest('trace', null)
  const on = tracing
  if (!on) return
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, routeOptions, id, headers } = request
    request.trace = traceRequest(on, method, routeOptions.url ?? 'none', id, headers)
    request.trace.within(done)
  })
  // The bytes of a body come from the socket, which belongs to no request.
  app.addHook('preHandler', ({ trace }, _reply, done) => (trace ? trace.within(done) : done()))
  app.addHook('onResponse', async ({ trace }, { statusCode }) => trace?.end(statusCode))
}
