// These are wallets that call a service from a network address of their choice: 127.0.0.2 is another address than 127.0.0.1.
// Their tokens are made here, because signing in is not what they test.

import { Agent, request as send } from 'node:http'
import { connect, type Socket } from 'node:net'
import { issueToken } from '../../server/src/auth/tokens.ts'
import { type Endpoint, paramNames } from '@parley/sdk/contract/endpoint.ts'
import { params } from '@parley/sdk/contract/params.ts'
import { exampleOf } from './longest-texts.ts'

export interface Answer {
  /** The status; 0 when the connection ended without a response. */
  status: number
  /** The milliseconds until all of it was there. */
  took: number
  /** The first 64 KiB of the text. */
  text: string
  /** The number of bytes that came, packed or not. */
  bytes: number
  /** The seconds to wait, when a refusal says so. */
  retryAfter: number
}

export interface Caller {
  address: string
  get: (path: string) => Promise<Answer>
  /** A body of bytes is JSON already: making a large one takes time that others of this process wait. */
  post: (path: string, body: object | Buffer) => Promise<Answer>
  call: (method: string, path: string, body?: object | Buffer) => Promise<Answer>
  /** Ends its connections, and with them the requests that are in progress. */
  close: () => void
  /** Opens a connection that sends a request and reads only the first packet of the response. */
  askAndWait: (path: string, headers?: Record<string, string>) => Socket
}

interface Place {
  url: string
  /** PUBLIC_URL, where it is another one. */
  publicUrl?: string
  jwtSecret: string
}

const keptText = 64 * 1024

/** Opens a caller for a wallet at a network address. Without a wallet it calls without a token. */
export async function openCaller(
  { url, publicUrl = url, jwtSecret }: Place,
  address: string | null,
  from: string,
): Promise<Caller> {
  const config = { publicUrl, jwtSecret }
  const authorization =
    address === null ? {} : { authorization: `Bearer ${await issueToken({ config }, address)}` }
  const port = Number(new URL(url).port)
  const agent = new Agent({ keepAlive: true, localAddress: from, maxSockets: 64 })

  const call = (method: string, path: string, body?: object | Buffer) =>
    new Promise<Answer>((resolve) => {
      const began = performance.now()
      let bytes = 0
      const answer = (status: number, text = '', retryAfter = 0) =>
        resolve({ status, text, retryAfter, bytes, took: performance.now() - began })
      const headers = { ...authorization, ...(body && { 'content-type': 'application/json' }) }
      const request = send({ host: '127.0.0.1', port, agent, method, path, headers }, (response) => {
        let text = ''
        response.on('data', (data: Buffer) => {
          bytes += data.length
          if (text.length < keptText) text += data.toString('latin1')
        })
        response.on('end', () =>
          answer(response.statusCode!, text, Number(response.headers['retry-after'] ?? 0)),
        )
        response.on('error', () => answer(0))
        response.on('aborted', () => answer(0))
      })
      request.on('error', () => answer(0))
      request.end(body instanceof Buffer ? body : body && JSON.stringify(body))
    })

  return {
    address: address ?? '',
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, body),
    call,
    close: () => agent.destroy(),
    askAndWait(path, headers = {}) {
      const socket = connect({ host: '127.0.0.1', port, localAddress: from })
      socket.on('error', () => {}).once('data', () => socket.pause())
      const lines = Object.entries({ ...authorization, ...headers }).map(
        ([key, value]) => `${key}: ${value}\r\n`,
      )
      socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${lines.join('')}\r\n`)
      return socket
    },
  }
}

// These are requests with the examples of the contract, so that code that calls every endpoint has no list of them.

interface Schema {
  format?: string
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
}

export interface ExampleRequest {
  method: Endpoint['method']
  url: string
  payload?: Record<string, unknown>
}

/**
 * Returns a valid request. `values` stand in place of examples, by the names of parameters and fields; `self` where the caller is
 * named.
 */
export function requestOf(
  endpoint: Endpoint,
  self: string | readonly string[],
  values: Record<string, unknown> = {},
): ExampleRequest {
  const named = [endpoint.self ?? []].flat()
  const wallets = named.map((name, i) => [name, typeof self === 'string' ? self : self[i]])
  const given: Record<string, unknown> = { ...values, ...Object.fromEntries(wallets) }
  const { method, path, body, query } = endpoint
  const needed = (query as Schema | undefined)?.required ?? []
  const asked = needed.map((name) => [name, String(exampleOf((query as Schema).properties![name]!))])
  const url =
    path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(String(given[name] ?? exampleOf(params[name]!))),
    ) + (asked.length > 0 ? `?${new URLSearchParams(asked)}` : '')
  const { properties } = (body ?? {}) as Schema
  if (!properties) return { method, url }
  const fields = Object.entries(properties).map(([name, field]) => [
    name,
    name in given ? given[name] : exampleOf(field),
  ])
  return { method, url, payload: Object.fromEntries(fields) }
}

/** Returns the names of parameters of the path and fields of the body. */
export const fieldsOf = ({ path, body }: Endpoint): string[] => [
  ...paramNames(path),
  ...Object.keys(((body ?? {}) as Schema).properties ?? {}),
]

const namesOne = ({ format, anyOf = [], items, properties = {} }: Schema): boolean =>
  format === 'address' || [...anyOf, ...(items ? [items] : []), ...Object.values(properties)].some(namesOne)

/** Returns true when a request names a wallet, a chat or a message. One that does not is only about the caller. */
export const namesAnybody = ({ path, body, query }: Endpoint): boolean =>
  paramNames(path).some((name) => ['name', 'id'].includes(name) || namesOne(params[name]!)) ||
  [body, query].some((schema) => schema !== undefined && namesOne(schema))
