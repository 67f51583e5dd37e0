import type { Endpoint, Input, Reply } from './contract/endpoint.ts'
import { ApiError, type ErrorCode, errorStatus, type Problem, problemType } from './contract/errors.ts'
import { type Contract, contract } from './contract/index.ts'

export interface ClientOptions {
  /** Where the service is, such as `https://chat.example.org`. */
  baseUrl: string
  /** The JWT from sign-in, or the admin API key. */
  token?: string
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch
}

export interface CallOptions {
  /** Makes a repetition of a creating call safe: the same key and body within 24 hours answers the first result. */
  idempotencyKey?: string
  signal?: AbortSignal
  headers?: Record<string, string>
}

/** One method per endpoint, named as in the contract. The event stream is read by `readEvents`. */
export type Client = {
  [Name in keyof Contract as Contract[Name] extends { produces: 'text/event-stream' } ? never : Name]: (
    ...input: Args<Contract[Name]>
  ) => Promise<Reply<Contract[Name]>>
}
type Args<E extends Endpoint> =
  unknown extends Input<E>
    ? [input?: undefined, options?: CallOptions]
    : [input: Input<E>, options?: CallOptions]

/**
 * The client of a Parley service. A method takes the path's values and `body` and `query` side by side,
 * answers what the contract says, and throws an {@link ApiError} for any other answer.
 * @example
 * const parley = createClient({ baseUrl: 'https://chat.example.org', token })
 * const [sent] = await parley.sendDirectMessage({ body: { fromaddr: me, toaddr: you, message: 'gm' } })
 * const history = await parley.listConversation({ fromaddr: me, toaddr: you, query: { limit: 100 } })
 */
export function createClient(options: ClientOptions): Client {
  const methods = Object.entries<Endpoint>(contract)
    .filter(([, { produces }]) => produces !== 'text/event-stream')
    .map(([name, endpoint]) => [
      name,
      async (input?: Record<string, unknown>, call?: CallOptions) =>
        readReply(endpoint, await send(options, endpoint, input, call)),
    ])
  return Object.fromEntries(methods) as Client
}

/** Calls an endpoint and answers the response as it came, for callers that need its headers. Throws as a method does. */
export async function send(
  options: ClientOptions,
  endpoint: Endpoint,
  input: Record<string, unknown> = {},
  { idempotencyKey, signal, headers }: CallOptions = {},
): Promise<Response> {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(input[name])),
  )
  const query = new URLSearchParams(
    Object.entries(input.query ?? {}).map(([name, value]) => [name, String(value)]),
  )
  const response = await (options.fetch ?? fetch)(
    `${options.baseUrl}${path}${query.size > 0 ? `?${query}` : ''}`,
    {
      method: endpoint.method,
      headers: {
        ...(options.token && { authorization: `Bearer ${options.token}` }),
        ...(input.body !== undefined && { 'content-type': 'application/json' }),
        ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
        ...headers,
      },
      ...(input.body !== undefined && { body: JSON.stringify(input.body, bigintAsDigits) }),
      ...(signal && { signal }),
    },
  )
  if (!response.ok) throw await toApiError(response)
  return response
}

async function readReply({ produces }: Endpoint, response: Response): Promise<unknown> {
  if (produces === 'application/zip') return response.body
  if (response.status === 204) return undefined
  const text = await response.text()
  return longNumber.test(text) ? JSON.parse(text, exactInteger) : JSON.parse(text)
}

// Token ids reach 2^256-1. A request takes them as digits in a string; an answer has them as JSON numbers, which
// JSON.parse would round: those are read from the text itself (ECMAScript's JSON.parse source text access).
const bigintAsDigits = (_key: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)

const longNumber = /[[:,]\s*-?\d{16}/

function exactInteger(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value) || !Number.isInteger(value)) return value
  if (context?.source === undefined)
    throw new Error('This JavaScript engine cannot read numbers beyond 2^53 exactly. Update it.')
  return /^-?\d+$/.test(context.source) ? BigInt(context.source) : value
}

async function toApiError(response: Response): Promise<ApiError> {
  const problem = (await response.json().catch(() => ({}))) as Partial<Problem>
  const codes = Object.keys(errorStatus) as ErrorCode[]
  const code =
    codes.find((name) => problemType(name) === problem.type) ??
    codes.find((name) => errorStatus[name] === response.status) ??
    (response.status < 500 ? 'bad_request' : 'internal')
  const retryAfter = Number(response.headers.get('retry-after') ?? NaN)
  return new ApiError(code, problem.detail ?? `The service answered ${response.status}`, {
    ...(problem.errors && { errors: problem.errors }),
    ...(problem.request_id && { requestId: problem.request_id }),
    ...(Number.isFinite(retryAfter) && { retryAfter }),
  })
}
