// The only way to an address that others have chosen: the metadata of a token, whose contract
// anybody may write, a push service, a webhook. Such an address can lead into the network of the service, to a server that
// never answers, or to an endless answer. So: https only; the name is resolved once, every address
// of it is checked, and the connection goes to one of those; no proxy, no redirect, no cookie, no
// credentials; time and bytes have bounds.
//
// Hosts of PRIVATE_FETCH_HOSTS are the operator's own: they may be on a private network, and speak
// http.

import { promises as dns } from 'node:dns'
import * as http from 'node:http'
import * as https from 'node:https'
import { isIP, type LookupFunction, type NetConnectOpts, connect as netConnect } from 'node:net'
import { connect as tlsConnect, type ConnectionOptions, type TLSSocket } from 'node:tls'
import type { Config } from '../config/settings.ts'
import { whenAborted } from '../lib/abort.ts'
import { outsideFetches } from '../telemetry/metrics.ts'
import { isPublic } from './addresses.ts'

/** How names are resolved and connections made; a test gives its own. */
export interface Network {
  resolve: (host: string, signal: AbortSignal) => Promise<string[]>
  connect: (options: ConnectionOptions) => TLSSocket
}

/**
 * Why there is no answer. The message never names the address, which may hold what others should
 * not see.
 */
export class OutsideError extends Error {}

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
}

export interface Answer {
  status: number
  headers: http.IncomingHttpHeaders
  body: Buffer
}

/**
 * Asks an address that others have chosen. Throws an OutsideError when the address is not allowed or cannot be
 * reached, or the answer is too large or too late. Any status is an answer; a redirect is not followed.
 */
export async function callOutside(
  { privateFetchHosts }: Pick<Config, 'privateFetchHosts'>,
  address: string,
  { method = 'GET', headers = {}, body, maxBytes, seconds }: Asking,
  network: Network = internet,
): Promise<Answer> {
  const signal = AbortSignal.timeout(seconds * 1000)
  try {
    const url = requireAllowed(address, privateFetchHosts)
    const isSecure = url.protocol === 'https:'
    const addresses = privateFetchHosts.includes(url.host)
      ? undefined
      : await publicAddresses(url, network, signal)
    const request = (isSecure ? https : http).request(url, {
      method,
      headers: { ...headers, 'accept-encoding': 'identity', connection: 'close', 'user-agent': 'Parley' },
      signal,
      ...(addresses && { lookup: answering(addresses) }),
      // Instead of an agent, which would keep the connection, or use a proxy of the environment.
      createConnection: isSecure ? connectionOf(url, network) : connectPlainly,
      defaultPort: isSecure ? 443 : 80,
    })
    const answered = answerOf(request, maxBytes)
    request.end(body)
    const answer = await answered
    outsideFetches.inc({ outcome: 'answered' })
    return answer
  } catch (error) {
    outsideFetches.inc({ outcome: error instanceof OutsideError ? 'refused' : 'failed' })
    if (error instanceof OutsideError) throw error
    throw new OutsideError(signal.aborted ? `it takes longer than ${seconds} s` : 'it cannot be reached')
  }
}

/** The URL of an address that may be asked, as far as can be said before its name is resolved. */
export function requireAllowed(address: string, ownHosts: readonly string[]): URL {
  const url = URL.parse(address)
  if (!url) throw new OutsideError('it is no URL')
  const isOwn = ownHosts.includes(url.host)
  const { protocol, username, password, port } = url
  if (protocol !== 'https:' && !(isOwn && protocol === 'http:')) throw new OutsideError('it is not https')
  if (username || password) throw new OutsideError('it holds a user name or password')
  // Below 1024 are the services of a machine that are no web servers: mail, SSH, LDAP.
  if (!isOwn && port && Number(port) < 1024) throw new OutsideError('its port is no port of a web server')
  return url
}

/** All addresses of a host, each of which must be public. */
async function publicAddresses(url: URL, network: Network, signal: AbortSignal): Promise<string[]> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const late = whenAborted(signal).then((): string[] => [])
  const addresses = isIP(host) ? [host] : await Promise.race([network.resolve(host, signal), late])
  signal.throwIfAborted()
  if (addresses.length === 0) throw new OutsideError('its host has no address')
  if (!addresses.every(isPublic)) throw new OutsideError('its host is not on the public internet')
  return addresses
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
  ({ hostname }: URL, { connect }: Network) =>
  (options: object): TLSSocket =>
    connect({
      ...options,
      // The name in the certificate; an IP address is compared by itself.
      servername: isIP(hostname.replace(/^\[(.*)\]$/, '$1')) ? '' : hostname,
      ALPNProtocols: ['http/1.1'],
    })

const connectPlainly = (options: object) => netConnect(options as NetConnectOpts)

async function answerOf(request: http.ClientRequest, maxBytes: number): Promise<Answer> {
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    request.once('response', resolve).once('error', reject)
  })
  try {
    // What was not asked for is not unpacked: a few bytes may be gigabytes.
    const encoding = response.headers['content-encoding'] ?? 'identity'
    if (encoding !== 'identity') throw new OutsideError(`its answer is packed`)
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > maxBytes) throw new OutsideError(`it has more than ${maxBytes} bytes`)
      chunks.push(chunk)
    }
    return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }
  } finally {
    request.destroy()
  }
}

/** Asks name servers by itself: the system's resolver blocks one of four threads that all share. */
const internet: Network = {
  async resolve(host, signal) {
    const resolver = new dns.Resolver({ timeout: 2_000, tries: 2 })
    const cancel = () => resolver.cancel()
    signal.addEventListener('abort', cancel)
    try {
      const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
      return found.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  },
  connect: tlsConnect,
}
