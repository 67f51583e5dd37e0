// A service that a test takes away, and brings back.

import http from 'node:http'
import { freePort } from '../../testing/service/ports.ts'
import { startService } from '../../testing/service/service.ts'
import type { Person } from './person.ts'

type State = 'up' | 'away' | 'bad gateway'

async function answerChanged(
  answer: http.IncomingMessage,
  response: http.ServerResponse,
  change: (text: string) => string,
): Promise<void> {
  const { 'content-length': _length, etag: _etag, ...headers } = answer.headers
  let text = ''
  for await (const part of answer.setEncoding('utf8')) text += part
  response.writeHead(answer.statusCode!, headers).end(change(text))
}

/** A service behind a proxy, with which the test takes it away, or changes the texts of its client. */
export async function startBehindProxy() {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const service = await startService({ publicUrl: url, allowedDomains: [`127.0.0.1:${port}`] })
  const target = await service.listen()
  const changed = new Map<string, (text: string) => string>()
  let state: State = 'up'
  const proxy = http.createServer((request, response) => {
    if (state === 'up') forward(request, response)
    else if (state === 'away') request.socket.destroy()
    else response.writeHead(502).end('Bad gateway')
  })
  const forward = (request: http.IncomingMessage, response: http.ServerResponse) => {
    const { method, url: path = '/' } = request
    const change = changed.get(path)
    const headers = { ...request.headers }
    if (change) for (const name of ['accept-encoding', 'if-none-match']) delete headers[name]
    const forwarded = http.request(target + path, { method, headers }, (answer) => {
      if (change) void answerChanged(answer, response, change)
      else answer.pipe(response.writeHead(answer.statusCode!, answer.headers))
    })
    forwarded.on('error', () => request.socket.destroy())
    response.on('close', () => forwarded.destroy())
    request.pipe(forwarded)
  }
  await new Promise<void>((resolve) => proxy.listen(port, '127.0.0.1', resolve))
  return {
    url,
    service,
    changed,
    set(next: State) {
      state = next
      if (next !== 'up') proxy.closeAllConnections()
    },
    async [Symbol.asyncDispose]() {
      proxy.closeAllConnections()
      await new Promise((resolve) => proxy.close(resolve))
      await service[Symbol.asyncDispose]()
    },
  }
}

/** Waits until the files of the client are stored. */
export const filesAreStored = ({ page }: Person) =>
  page.evaluate(async () => {
    await navigator.serviceWorker.ready
    if (navigator.serviceWorker.controller) return
    await new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve))
  })
