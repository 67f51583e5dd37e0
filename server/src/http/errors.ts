import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type DatabaseFailure, databaseFailure } from '../db/failures.ts'
import {
  ApiError,
  type ErrorCode,
  errorStatus,
  type Problem,
  problemType,
} from '@parley/sdk/contract/errors.ts'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { safeMessage } from '../telemetry/log.ts'
import { problems } from '../telemetry/metrics.ts'

/** Every failure becomes a response here (RFC 9457 problem details). */
export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) => answer(error, request, reply))
}

/** Responds with a failure. Only the text of an ApiError reaches the caller; anything else is logged and sent without details. */
export function answer(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const failure = toApiError(error)
  problems.inc({ code: failure.code })
  if (failure.code === 'internal') request.log.error({ err: error }, 'a request failed')
  // An error without a cause is no fault: the service refuses for now, and has logged the reason once.
  else if (failure.status >= 500 && failure.cause !== undefined)
    request.log.warn({ code: failure.code, cause: messageOf(failure.cause) }, failure.message)
  return (
    reply
      .code(failure.status)
      .headers(headersOf(failure))
      .header('content-type', 'application/problem+json')
      // Without a serializer, the framework would add a charset, and this media type has none.
      .serializer(JSON.stringify)
      .send(toProblem(failure, request.id))
  )
}

const toProblem = (failure: ApiError, requestId: string): Problem => ({
  type: problemType(failure.code),
  title: STATUS_CODES[failure.status]!,
  status: failure.status,
  detail: failure.message,
  request_id: requestId,
  ...(failure.errors && { errors: failure.errors }),
  ...(failure.current !== undefined && { current: failure.current }),
})

function headersOf(failure: ApiError): Record<string, string> {
  return {
    ...(failure.code === 'unauthorized' && { 'www-authenticate': 'Bearer realm="parley"' }),
    ...(failure.code === 'unavailable' && { 'retry-after': '1' }),
    ...(failure.retryAfter !== undefined && { 'retry-after': String(failure.retryAfter) }),
    ...failure.headers,
  }
}

function toApiError(error: Error & { statusCode?: number; code?: string }): ApiError {
  if (error instanceof ApiError) return error
  // This comes before failures of the database: a client that breaks off has the codes of a broken connection.
  if (error.statusCode !== undefined && error.statusCode < 500) return fromFastify(error)
  const failure = databaseFailure(error)
  if (failure) {
    const { detail, retryAfter } = unavailable[failure]
    return new ApiError('unavailable', detail, { cause: error, retryAfter })
  }
  return new ApiError('internal', 'Something went wrong on our side. Report it with the request_id.', {
    cause: error,
  })
}

/** Translates errors of the framework into the texts of this service. */
function fromFastify(error: Error & { statusCode?: number; code?: string }): ApiError {
  const code = (Object.entries(errorStatus).find(([, status]) => status === error.statusCode)?.[0] ??
    'bad_request') as ErrorCode
  const detail: Partial<Record<ErrorCode, string>> = {
    payload_too_large: 'The body is too large. The limit of each endpoint is in the docs.',
    unsupported_media_type: 'Send the body as Content-Type: application/json, without a Content-Encoding.',
    bad_request:
      'The request is malformed: check the percent-encoding of the path and the length of the body.',
  }
  return new ApiError(code, detail[code] ?? error.message, { cause: error })
}

const unavailable: Record<DatabaseFailure, { detail: string; retryAfter: number }> = {
  away: {
    detail:
      'The database is out of reach. Try again in a moment; a request with an Idempotency-Key is never applied twice.',
    retryAfter: 1,
  },
  silent: {
    detail:
      'The database did not say whether this was done: the outcome is unknown. Try again with the same Idempotency-Key; a request with one is never applied twice.',
    retryAfter: 5,
  },
  moving: {
    detail: 'The database is being moved. Nothing was done; try again in a moment.',
    retryAfter: 2,
  },
  busy: {
    detail: 'Too many requests wait for the database. Nothing was done; try again in a moment.',
    retryAfter: 1,
  },
  locked: {
    detail: 'Another request is at work on the same. Nothing was done; try again in a moment.',
    retryAfter: 2,
  },
  slow: { detail: 'This took the database too long. Nothing was done; try again later.', retryAfter: 10 },
  full: { detail: 'The database has no room left. Nothing was stored; reading goes on.', retryAfter: 60 },
}

const messageOf = (cause: unknown) => (cause instanceof Error ? safeMessage(cause) : undefined)

const malformed: Record<string, ApiError> = {
  HPE_HEADER_OVERFLOW: new ApiError(
    'headers_too_large',
    'The headers are too large: at most 32 KiB, the URL at most 8 KiB.',
  ),
  ERR_HTTP_REQUEST_TIMEOUT: new ApiError(
    'request_timeout',
    'The request did not arrive in time. Send it again.',
  ),
}

interface ClientError extends Error {
  code?: string
  /** This is the packet with the error, a Buffer. */
  rawPacket?: unknown
}

/**
 * Returns false for HEAD, whose response has no body. Headers that are too large may have begun in an earlier packet, and then
 * the method is not known.
 */
function mayHaveBody({ code, rawPacket }: ClientError): boolean {
  const start = (rawPacket as Buffer | undefined)?.toString('latin1', 0, 16) ?? ''
  const method = /^[A-Z]+(?= )/.exec(start)?.[0]
  return method === undefined ? code !== 'HPE_HEADER_OVERFLOW' : method !== 'HEAD'
}

/** Responds to bytes that are so malformed that the framework has no request yet. */
export function clientErrorHandler(this: FastifyInstance, error: ClientError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const failure = malformed[error.code ?? ''] ?? new ApiError('bad_request', 'This is not valid HTTP/1.1.')
  const body = mayHaveBody(error) ? JSON.stringify(toProblem(failure, 'none')) : ''
  const head = `HTTP/1.1 ${failure.status} ${toProblem(failure, '').title}\r\nContent-Type: application/problem+json\r\n`
  socket.end(`${head}Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`)
}
