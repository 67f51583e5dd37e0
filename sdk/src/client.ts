import { fieldRenaming } from './contract/encryption.ts'
import type { Endpoint, Input, Reply } from './contract/endpoint.ts'
import { ApiError, type ErrorCode, errorStatus, type Problem } from './contract/errors.ts'
import type { Contract } from './contract/index.ts'
import { fromJson, toJson } from './json.ts'
import { maybeTemporary, type RetryOptions, withRetry } from './retry.ts'
import * as slices from './slices.ts'
import type { Call, EndpointOf } from './slices.ts'

/** Options are read again for each request, so a value which is known later or changes can be a getter. */
export interface ClientOptions {
  /** The URL of the service, such as `https://chat.example.org`. It is empty for the page's own origin. */
  baseUrl: string
  /** The JWT from sign-in, an API key of a wallet, or the admin API key. */
  token?: string
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch
  /**
   * The service's ENCRYPTION_VENDOR; `x` when left out. The fields `encrypted_sym_x_key` and
   * `x_access_conditions` have these names in methods and events, whatever the service calls them.
   * Only the archive of `exportAccount` has the service's names.
   */
  encryptionVendor?: string
  /**
   * Says how the client retries after a broken connection, 429 and 5xx; `false` turns retries off. A call that could take effect
   * twice is retried after 429 only.
   */
  retry?: false | RetryOptions
}

export interface CallOptions {
  /**
   * Makes a retry of a creating call safe: within 24 hours the same key and body return the first result. When calls are retried
   * and it is left out, the SDK makes one for each call. To retry a call yourself, for instance after a restart, store your own
   * key.
   */
  idempotencyKey?: string
  /** Ends the call and the waits between its retries; the call throws the signal's reason. */
  signal?: AbortSignal
  /** Headers to send besides those of the SDK. */
  headers?: Record<string, string>
  /** Replaces the `retry` of the client. */
  retry?: false | RetryOptions
}

/** The client has one method per endpoint, named as in the contract. `readEvents` reads the event stream. */
export type Client = Methods<Contract>
type Methods<Of extends Record<string, Endpoint>> = {
  [Name in keyof Of as Of[Name] extends { produces: 'text/event-stream' } ? never : Name]: (
    ...input: Args<Of[Name]>
  ) => Promise<Reply<Of[Name]>>
}
export type ClientOf<Calls extends Record<string, Call>> = Methods<{
  [Name in keyof Calls]: EndpointOf<Calls[Name]>
}>
type Args<E extends Endpoint> =
  unknown extends Input<E>
    ? [input?: undefined, options?: CallOptions]
    : [input: Input<E>, options?: CallOptions]

/**
 * The client of a Parley service. A method takes the path's values and `body` and `query` side by side, and returns what the
 * contract says. It throws an {@link ApiError} for an error response, what `fetch` throws when the service cannot be reached, and
 * the reason of an aborted signal. Failures that may pass are retried first, see {@link ClientOptions.retry}.
 * @example
 * const parley = createClient({ baseUrl: 'https://chat.example.org', token })
 * const body = { fromaddr: me, toaddr: you, message: 'gm' }
 * const [sent] = await parley.sendDirectMessage({ body })
 * const history = await parley.listConversation({ fromaddr: me, toaddr: you })
 * @example
 * // Until it is sent, however long that takes; the key is stored to go on after a restart.
 * const [sent] = await parley.sendDirectMessage(
 *   { body },
 *   {
 *     idempotencyKey: key,
 *     retry: { attempts: Infinity, longestWait: Infinity, onRetry: () => show('waiting') },
 *   },
 * )
 */
export function createClient(options: ClientOptions): Client {
  return createClientOf(options, Object.assign({}, ...Object.values(slices))) as unknown as Client
}

/**
 * A client with the methods of some features only, which is smaller in a bundle.
 * @example
 * import { createClientOf } from '@parley/sdk'
 * import { directMessages, inbox } from '@parley/sdk/slices'
 *
 * const parley = createClientOf({ baseUrl, token }, { ...directMessages, ...inbox })
 */
export function createClientOf<Calls extends Record<string, Call>>(
  options: ClientOptions,
  calls: Calls,
): ClientOf<Calls> {
  const methods = Object.entries(calls)
    .filter(([, { produces }]) => produces !== 'text/event-stream')
    .map(([name, call]) => [name, methodOf(options, call)])
  return Object.fromEntries(methods) as ClientOf<Calls>
}

const methodOf =
  (options: ClientOptions, endpoint: Call) =>
  async (input?: Record<string, unknown>, call?: CallOptions): Promise<unknown> => {
    if (endpoint.produces === 'application/zip' || endpoint.produces === 'application/octet-stream')
      return (await send(options, endpoint, input, call)).body
    // A connection may also break while the response is read, so reading is retried too.
    const text = await request(options, endpoint, input, call, async (response) =>
      response.status === 204 ? undefined : response.text(),
    )
    return text === undefined ? undefined : fromJson(fieldRenaming(options.encryptionVendor).fromWire(text))
  }

/** Calls an endpoint and returns the response as it came, for callers that need its headers. Throws as a method does. */
export const send = (
  options: ClientOptions,
  endpoint: Call,
  input?: Record<string, unknown>,
  call?: CallOptions,
): Promise<Response> => request(options, endpoint, input, call, async (response) => response)

async function request<T>(
  options: ClientOptions,
  endpoint: Call,
  input: Record<string, unknown> = {},
  call: CallOptions = {},
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const { signal, retry = options.retry ?? {} } = call
  const url = pathOf(endpoint, input)
  const { consumes } = endpoint
  const body =
    input.body === undefined || consumes
      ? (input.body as Blob | Uint8Array<ArrayBuffer> | undefined)
      : fieldRenaming(options.encryptionVendor).toWire(toJson(input.body))
  const key = call.idempotencyKey ?? (retry && endpoint.idempotent ? newIdempotencyKey() : undefined)
  // True when an earlier attempt may have taken effect. A 429 says that it has not.
  let mayBeDone = false
  const attempt = async () => {
    const response = await (options.fetch ?? fetch)(options.baseUrl + url, {
      method: endpoint.method,
      headers: {
        ...(options.token && { authorization: `Bearer ${options.token}` }),
        ...(body !== undefined && { 'content-type': consumes ?? 'application/json' }),
        ...(key && { 'idempotency-key': key }),
        ...call.headers,
      },
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
    })
    // An earlier attempt has deleted it.
    const isGone = endpoint.method === 'DELETE' && response.status === 404 && mayBeDone
    if (isGone) return read(new Response(null, { status: 204 }))
    if (!response.ok) throw await toApiError(response)
    return read(response)
  }
  if (!retry) return attempt()
  const mayRepeat = (error: unknown) => {
    mayBeDone ||= !wasRefused(error)
    return endpoint.method === 'POST' && !endpoint.idempotent ? !mayBeDone : maybeTemporary(error)
  }
  return withRetry(attempt, mayRepeat, retry, signal)
}

/** Returns true when nothing was done for sure. After 503 that is not sure: a commit may have succeeded. */
const wasRefused = (error: unknown) => error instanceof ApiError && error.code === 'rate_limited'

/** Returns a random `Idempotency-Key`. `crypto.randomUUID` does not exist on pages without HTTPS. */
export const newIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )

function pathOf({ path }: Call, input: Record<string, unknown>): string {
  const query = new URLSearchParams(
    Object.entries(input.query ?? {}).map(([name, value]) => [name, String(value)]),
  )
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])))
  return query.size > 0 ? `${filled}?${query}` : filled
}

async function toApiError(response: Response): Promise<ApiError> {
  const problem = (await response.json().catch(() => ({}))) as Partial<Problem>
  const codes = Object.keys(errorStatus) as ErrorCode[]
  const code =
    codes.find((name) => name === problem.type?.split(/[#:]/).at(-1)) ??
    codes.find((name) => errorStatus[name] === response.status) ??
    (response.status < 500 ? 'bad_request' : 'internal')
  const retryAfter = toSeconds(response.headers.get('retry-after') ?? '')
  return new ApiError(code, problem.detail ?? `The service answered ${response.status}`, {
    ...(problem.errors && { errors: problem.errors }),
    ...(problem.current !== undefined && { current: problem.current }),
    ...(problem.request_id && { requestId: problem.request_id }),
    ...(Number.isFinite(retryAfter) && { retryAfter }),
  })
}

/** `Retry-After` is a number of seconds; a proxy may also send a date. */
const toSeconds = (retryAfter: string) =>
  /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1000
