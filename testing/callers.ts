// These are wallets that call a service from a network address of their choice: 127.0.0.2 is another address than 127.0.0.1.
// Their tokens are made here, because signing in is not what they test.

import { Agent, request as send } from 'node:http'
import { connect, type Socket } from 'node:net'
import { issueToken } from '../server/src/auth/tokens.ts'

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
