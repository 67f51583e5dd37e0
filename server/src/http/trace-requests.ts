import type { FastifyInstance } from 'fastify'
import { isTracing, type RequestTrace, traceRequest } from '../telemetry/traces.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Null where nothing is traced. */
    trace: RequestTrace | null
  }
}

/** Makes a span of each request, where spans are made. */
export function traceRequests(app: FastifyInstance): void {
  app.decorateRequest('trace', null)
  if (!isTracing()) return
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, routeOptions, id, headers } = request
    request.trace = traceRequest(method, routeOptions.url ?? 'none', id, headers)
    request.trace.within(done)
  })
  // The bytes of a body come from the socket, which belongs to no request.
  app.addHook('preHandler', ({ trace }, _reply, done) => (trace ? trace.within(done) : done()))
  app.addHook('onResponse', async ({ trace }, { statusCode }) => trace?.end(statusCode))
}
