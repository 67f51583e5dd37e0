// The only way to an address that others have chosen: the metadata of a token, whose contract
// anybody may write, a push service, a webhook. Such an address can lead into the network of the service, to a server that
// never answers, or to an endless answer. So: https only; the name is resolved once, every address
// of it is checked, and the connection goes to one of those; no proxy, no redirect, no cookie, no
// credentials; time and bytes have bounds.
//
// `ownHosts` are the operator's own: they may be on a private network, and speak http. Each feature has its own list, so a host that
// is read for one of them is not open to what people have another one send.

import * as http from 'node:http'
import * as https from 'node:https'
import { isIP, type LookupFunction, type NetConnectOpts, connect as netConnect } from 'node:net'
import { connect as tlsConnect, type ConnectionOptions, type TLSSocket } from 'node:tls'
import { whenAborted } from '../lib/abort.ts'
import { outsideFetches } from '../telemetry/metrics.ts'
import { isPublic } from './addresses.ts'
import { hostOf, OutsideError, requireAllowed } from './allowed.ts'
import { type Resolve, resolveBy } from './resolve.ts'

/** How names are resolved and connections made; a test gives its own. */
export interface Network {
  resolve: Resolve
  connect: (options: ConnectionOptions) => TLSSocket
}

/** What is asked, and what it may take. */
export interface Asking {
  method?: 'GET' | 'POST'
  /** Beside `user-agent`, `connection` and `accept-encoding`. */
  headers?: Record<string, string>
  body?: Buffer | string
  /** Bytes of an answer. */
  maxBytes: number
  /** Seconds for all of it: the name, the connection and the whole answer. */
  seconds: number
  /** The status alone decides: a body that is too long, too slow, packed or broken off is not read to its end, and is no failure. */
  byStatus?: true
}

export interface Answer {
  status: number
  headers: http.IncomingHttpHeaders
  body: Buffer
  /** Whether all of the body was read; it always was where the status alone does not decide. */
  isWhole: boolean
}

/** Whom a feature may ask on a private network. */
export interface OwnHosts {
  ownHosts: readonly string[]
}

/** Where the status decides, so many milliseconds are given to the rest of an answer. */
const patienceForBody = 3_000

/** So many addresses of a name are tried at most: one of thousands must not cause as many connections. */
const mostAddresses = 8

/** Bytes of the headers of an answer. */
const maxHeaders = 16_384

/**
 * Asks an address that others have chosen. Throws an OutsideError when the address is not allowed or cannot be
 * reached, or the answer is too large or too late. Any status is an answer; a redirect is not followed.
 */
export async function callOutside(
  { ownHosts }: OwnHosts,
  address: string,
  { method = 'GET', headers = {}, body, maxBytes, seconds, byStatus }: Asking,
  network: Network = internet,
): Promise<Answer> {
  const signal = AbortSignal.timeout(Math.ceil(seconds * 1000))
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
      // Instead of an agent, which would keep the connection, or use a proxy of the environment.
      createConnection: isSecure ? connectionOf(url, network) : connectPlainly,
      defaultPort: isSecure ? 443 : 80,
    })
    const answered = byStatus ? statusOf(request, maxBytes) : answerOf(request, maxBytes)
    request.end(body)
    // The time holds whatever the connection does with its signal.
    const answer = await Promise.race([answered, late(signal)])
    outsideFetches.inc({ outcome: 'answered' })
    return answer
  } catch (error) {
    outsideFetches.inc({ outcome: error instanceof OutsideError ? 'refused' : 'failed' })
    if (error instanceof OutsideError) throw error
    throw new OutsideError(signal.aborted ? `it takes longer than ${seconds} s` : 'it cannot be reached')
  }
}

/** All addresses of a host, each of which must be public. */
async function publicAddresses(url: URL, network: Network, signal: AbortSignal): Promise<string[]> {
  const host = hostOf(url)
  const addresses = isIP(host) ? [host] : await Promise.race([network.resolve(host, signal), late(signal)])
  if (addresses.length === 0) throw new OutsideError('its host has no address')
  if (!addresses.every(isPublic)) throw new OutsideError('its host is not on the public internet')
  return addresses.slice(0, mostAddresses)
}

/** Fails when the time is over. */
const late = async (signal: AbortSignal): Promise<never> => {
  await whenAborted(signal)
  throw signal.reason
}

/** Answers a connection with the addresses that were checked, so none is resolved again. */
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
      // The name in the certificate; an IP address is compared by itself.
      servername: isIP(hostOf(url)) ? '' : url.hostname.replace(/\.$/, ''),
      ALPNProtocols: ['http/1.1'],
    })

const connectPlainly = (options: object) => netConnect(options as NetConnectOpts)

const responseTo = (request: http.ClientRequest) =>
  new Promise<http.IncomingMessage>((resolve, reject) => {
    // Listens on after the first error: one that nobody listens to ends the process.
    request.once('response', resolve).on('error', reject)
    // Without this, an answer that offers another protocol is no answer and no error.
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

/** As answerOf; what is wrong with a body is no failure, and a slow one is not waited for. */
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
  // What was not asked for is not unpacked: a few bytes may be gigabytes.
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
