// Calls an address that other people have chosen, and nothing else in the service does: the metadata of a token, whose contract
// anybody may write, a push service, a webhook. Such an address can lead into the network of the service, to a server that never
// responds, or to an endless response. So: https only; the name is resolved once, every address of it is checked, and the
// connection goes to one of those; no proxy, no redirect, no cookie, no credentials; time and bytes have limits.
//
// `ownHosts` are the operator's own: they may be on a private network, and use http. Each feature has its own list, so a host
// that one feature may read is not open to addresses that people give to another.

import { promises as dns } from 'node:dns'
import * as http from 'node:http'
import * as https from 'node:https'
import { connect as netConnect, isIP, type LookupFunction, type NetConnectOpts } from 'node:net'
import { connect as tlsConnect, type ConnectionOptions, type TLSSocket } from 'node:tls'
import { whenAborted } from '../lib/abort.ts'
import { outsideFetches } from '../telemetry/metrics.ts'
import { isPublic } from './addresses.ts'
import { hostOf, OutsideError, requireAllowed } from './allowed.ts'

type Resolve = (host: string, signal: AbortSignal) => Promise<string[]>

/**
 * Resolves all addresses of a name, of IPv4 and IPv6, by name servers: those of the system, or others. It sends the queries
 * itself, because the system's resolver blocks one of four threads that all share, and it caches nothing: each call has a new
 * resolver.
 */
export const resolveBy =
  (servers?: string[]): Resolve =>
  async (host, signal) => {
    const resolver = new dns.Resolver({ timeout: 2_000, tries: 2 })
    if (servers) resolver.setServers(servers)
    const cancel = () => resolver.cancel()
    signal.addEventListener('abort', cancel)
    try {
      const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
      return found.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }

/** Resolves names and makes connections; a test passes its own. */
export interface Network {
  resolve: Resolve
  connect: (options: ConnectionOptions) => TLSSocket
}

/** Describes a call, and its limits. */
export interface Asking {
  method?: 'GET' | 'POST'
  /** These are sent beside `user-agent`, `connection` and `accept-encoding`. */
  headers?: Record<string, string>
  body?: Buffer | string
  /** Limits the bytes of a response. */
  maxBytes: number
  /** Limits the seconds for all of it: the name, the connection and the whole response. */
  seconds: number
  /** Ends the call before its timeout. */
  until?: AbortSignal
  /**
   * The status alone decides: a body that is too long, too slow, packed or broken off is not read to its end, and is no failure.
   */
  byStatus?: true
}

export interface Answer {
  status: number
  headers: http.IncomingHttpHeaders
  body: Buffer
  /** This is true when all of the body was read; it always was where the status alone does not decide. */
  isWhole: boolean
}

/** A feature may call these on a private network. */
export interface OwnHosts {
  ownHosts: readonly string[]
}

/** Where the status decides, the rest of a response has this many milliseconds. */
const patienceForBody = 3_000

/** At most this many addresses of a name are tried: a name with thousands must not cause as many connections. */
const mostAddresses = 8

/** Limits the bytes of the headers of a response. */
const maxHeaders = 16_384

/**
 * Calls an address that other people have chosen. Throws an OutsideError when the address is not allowed or cannot be reached, or
 * the response is too large or too late. Any status is a response; a redirect is not followed.
 */
export async function callOutside(
  { ownHosts }: OwnHosts,
  address: string,
  { method = 'GET', headers = {}, body, maxBytes, seconds, byStatus, until }: Asking,
  network: Network = internet,
): Promise<Answer> {
  const time = AbortSignal.timeout(Math.ceil(seconds * 1000))
  const signal = until ? AbortSignal.any([time, until]) : time
  try {
    const url = requireAllowed(address, ownHosts)
    const isSecure = url.protocol === 'https:'
    const addresses = ownHosts.includes(url.host) ? undefined : await publicAddresses(url, network, signal)
    const request = (isSecure ? https : http).request(url, {
      method,
      headers: { ...headers, 'accept-encoding': 'identity', connection: 'close', 'user-agent': 'Parley' },
      signal,
      maxHeaderSize: maxHeaders,
      ...(addresses && { lookup: answering(addresses) }),
      // This replaces an agent, which would reuse the connection, or use a proxy of the environment.
      createConnection: isSecure ? connectionOf(url, network) : connectPlainly,
      defaultPort: isSecure ? 443 : 80,
    })
    const answered = byStatus ? statusOf(request, maxBytes) : answerOf(request, maxBytes)
    request.end(body)
    // The timeout holds whether or not the connection obeys its signal.
    const answer = await Promise.race([answered, late(signal)])
    outsideFetches.inc({ outcome: 'answered' })
    return answer
  } catch (error) {
    outsideFetches.inc({ outcome: error instanceof OutsideError ? 'refused' : 'failed' })
    if (error instanceof OutsideError) throw error
    throw new OutsideError(signal.aborted ? `it takes longer than ${seconds} s` : 'it cannot be reached')
  }
}

/** Returns all addresses of a host, each of which must be public. */
async function publicAddresses(url: URL, network: Network, signal: AbortSignal): Promise<string[]> {
  const host = hostOf(url)
  const addresses = isIP(host) ? [host] : await Promise.race([network.resolve(host, signal), late(signal)])
  if (addresses.length === 0) throw new OutsideError('its host has no address')
  if (!addresses.every(isPublic)) throw new OutsideError('its host is not on the public internet')
  return addresses.slice(0, mostAddresses)
}

/** Fails at the timeout. */
const late = async (signal: AbortSignal): Promise<never> => {
  await whenAborted(signal)
  throw signal.reason
}

/** Gives a connection the addresses that were checked, so none is resolved again. */
const answering =
  (addresses: string[]): LookupFunction =>
  (_host, { all }, callback) => {
    const found = addresses.map((address) => ({ address, family: isIP(address) }))
    if (all) callback(null, found)
    else callback(null, found[0]!.address, found[0]!.family)
  }

const connectionOf =
  (url: URL, { connect }: Network) =>
  (options: object): TLSSocket =>
    connect({
      ...options,
      // This is the name in the certificate; an IP address is compared by itself.
      servername: isIP(hostOf(url)) ? '' : url.hostname.replace(/\.$/, ''),
      ALPNProtocols: ['http/1.1'],
    })

const connectPlainly = (options: object) => netConnect(options as NetConnectOpts)

const responseTo = (request: http.ClientRequest) =>
  new Promise<http.IncomingMessage>((resolve, reject) => {
    // It still listens after the first error: an error without a listener ends the process.
    request.once('response', resolve).on('error', reject)
    // Without this, a response that offers another protocol is neither a response nor an error.
    request.once('upgrade', (_response, socket) => {
      socket.destroy()
      reject(new Error('it offers another protocol'))
    })
  })

async function answerOf(request: http.ClientRequest, maxBytes: number): Promise<Answer> {
  const response = await responseTo(request)
  try {
    const chunks: Buffer[] = []
    for await (const chunk of readBody(response, maxBytes)) chunks.push(chunk)
    return answerFrom(response, chunks, true)
  } finally {
    request.destroy()
  }
}

/** Works like answerOf, but a bad body is no failure, and a slow one is not waited for. */
async function statusOf(request: http.ClientRequest, maxBytes: number): Promise<Answer> {
  const response = await responseTo(request)
  const timer = setTimeout(() => request.destroy(), patienceForBody)
  const chunks: Buffer[] = []
  try {
    for await (const chunk of readBody(response, maxBytes)) chunks.push(chunk)
    return answerFrom(response, chunks, response.complete)
  } catch {
    return answerFrom(response, chunks, false)
  } finally {
    clearTimeout(timer)
    request.destroy()
  }
}

const answerFrom = (
  { statusCode = 0, headers }: http.IncomingMessage,
  chunks: Buffer[],
  isWhole: boolean,
): Answer => ({ status: statusCode, headers, body: Buffer.concat(chunks), isWhole })

async function* readBody(response: http.IncomingMessage, maxBytes: number): AsyncGenerator<Buffer> {
  // A body with an encoding that was not requested is not unpacked: a few bytes may be gigabytes.
  const encoding = response.headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity') throw new OutsideError(`its answer is packed`)
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes) throw new OutsideError(`it has more than ${maxBytes} bytes`)
    yield chunk
  }
}

const internet: Network = { resolve: resolveBy(), connect: tlsConnect }
