// Wallets that call a service from a network address of their choice: 127.0.0.2 is another address than
// 127.0.0.1. Their tokens are made here, because signing in is not what they test.

import { Agent, request as send } from 'node:http'
import { connect, type Socket } from 'node:net'
import { issueToken } from '../server/src/auth/tokens.ts'

export interface Answer {
  /** 0 when the connection ended without an answer. */
  status: number
  /** Milliseconds until all of it was there. */
  took: number
  /** The first 64 KiB. */
  text: string
  /** Seconds to wait, of a refusal that says so. */
  retryAfter: number
}

export interface Caller {
  address: string
  get: (path: string) => Promise<Answer>
  post: (path: string, body: object) => Promise<Answer>
  /** A connection that asks for something and reads the first packet alone. */
  askAndWait: (path: string, headers?: Record<string, string>) => Socket
}

interface Place {
  url: string
  jwtSecret: string
}

const keptText = 64 * 1024

/** A wallet at a network address. Without a wallet it calls without a token. */
export async function openCaller(
  { url, jwtSecret }: Place,
  address: string | null,
  from: string,
): Promise<Caller> {
  const config = { publicUrl: url, jwtSecret }
  const authorization =
    address === null ? {} : { authorization: `Bearer ${await issueToken({ config }, address)}` }
  const port = Number(new URL(url).port)
  const agent = new Agent({ keepAlive: true, localAddress: from, maxSockets: 64 })

  const call = (method: string, path: string, body?: object) =>
    new Promise<Answer>((resolve) => {
      const began = performance.now()
      const answer = (status: number, text = '', retryAfter = 0) =>
        resolve({ status, text, retryAfter, took: performance.now() - began })
      const headers = { ...authorization, ...(body && { 'content-type': 'application/json' }) }
      const request = send({ host: '127.0.0.1', port, agent, method, path, headers }, (response) => {
        let text = ''
        response.on('data', (data: Buffer) => {
          if (text.length < keptText) text += data.toString('latin1')
        })
        response.on('end', () =>
          answer(response.statusCode!, text, Number(response.headers['retry-after'] ?? 0)),
        )
        response.on('error', () => answer(0))
      })
      request.on('error', () => answer(0))
      request.end(body && JSON.stringify(body))
    })

  return {
    address: address ?? '',
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, body),
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
