import type { FieldError } from './problem.ts'

// The models are in a file of their own: a client needs only what is here.
export { FieldError, Problem } from './problem.ts'

/** The code of each failure of a request, and its HTTP status. */
export const errorStatus = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_accepting: 403,
  not_asked: 403,
  sanctioned: 403,
  old_sign_in: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  limit_reached: 409,
  payload_too_large: 413,
  uri_too_long: 414,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  idempotency_mismatch: 422,
  rate_limited: 429,
  request_pending: 429,
  headers_too_large: 431,
  internal: 500,
  bad_gateway: 502,
  unavailable: 503,
  gateway_timeout: 504,
} as const

export type ErrorCode = keyof typeof errorStatus

/**
 * A reference to the page of errors that every service has (RFC 9457, section 3.1.1). Older services return `urn:parley:` and the
 * code; clients read what follows the last `#` or `:`.
 */
export const problemType = (code: ErrorCode) => `/docs/errors#${code}`

export interface ApiErrorOptions {
  errors?: FieldError[]
  /** Seconds after which a retry may succeed. */
  retryAfter?: number
  /** Response headers that belong to this failure. */
  headers?: Record<string, string>
  requestId?: string
  /** What is stored now, where another change came first. */
  current?: unknown
  cause?: unknown
}

/**
 * Thrown by the SDK for an answer that is an error, and by the service to give one.
 * @example
 * try {
 *   await parley.getInbox({ address })
 * } catch (error) {
 *   if (!(error instanceof ApiError)) throw error
 *   if (error.code === 'unauthorized') return signIn()
 *   show(error.message)
 * }
 */
export class ApiError extends Error {
  override name = 'ApiError'
  /** Stable name of the failure. */
  readonly code: ErrorCode
  /** All rejected values, when the request was malformed. */
  readonly errors: FieldError[] | undefined
  /** Seconds after which a retry may succeed. */
  readonly retryAfter: number | undefined
  /** Response headers that belong to this failure; set by the service only. */
  readonly headers: Record<string, string>
  /** Quote it when you report a problem. */
  readonly requestId: string | undefined
  /** What is stored now, where another change came first: it has the shape of the endpoint's response. */
  readonly current: unknown

  constructor(code: ErrorCode, detail: string, options: ApiErrorOptions = {}) {
    super(detail, { cause: options.cause })
    this.code = code
    this.errors = options.errors
    this.retryAfter = options.retryAfter
    this.headers = options.headers ?? {}
    this.requestId = options.requestId
    this.current = options.current
  }

  get status(): number {
    return errorStatus[this.code]
  }
}
