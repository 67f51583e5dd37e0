import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import cors from '@fastify/cors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import helmet, { type HelmetOptions } from 'helmet'
import type { Context } from '../context.ts'

/**
 * Sets the headers that every answer has: CORS, security, and `connection: close` on an instance
 * that is about to stop.
 */
export async function setHeaders(app: FastifyInstance, { config, lifecycle }: Context): Promise<void> {
  await app.register(cors, {
    origin: config.corsOrigins,
    credentials: config.corsOrigins !== '*',
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
    allowedHeaders: ['Authorization', 'Content-Type', 'Accept', 'Idempotency-Key', 'Last-Event-ID'],
    exposedHeaders: ['Authorization', 'RateLimit', 'RateLimit-Policy', 'Retry-After', 'Idempotency-Replayed'],
    maxAge: 600,
    strictPreflight: false,
  })
  const security = securityHeaders({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
    },
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    strictTransportSecurity: config.publicUrl.startsWith('https:'),
  })
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(security)
    if (lifecycle.draining) reply.header('connection', 'close')
    done()
  })
}

/** The headers that helmet sets, computed once rather than for each answer. */
function securityHeaders(options: HelmetOptions): OutgoingHttpHeaders {
  const response = new ServerResponse(new IncomingMessage(new Socket()))
  helmet(options)(response.req, response, () => {})
  return { ...response.getHeaders() }
}

/** The headers of CORS for errors that the framework answers before any hook has run. */
export function corsHeaders(origins: '*' | string[], { headers }: FastifyRequest): Record<string, string> {
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
