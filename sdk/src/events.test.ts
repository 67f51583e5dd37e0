import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { readEvents, type ReadEventsOptions } from './events.ts'

type Answer = (response: ServerResponse, request: IncomingMessage) => unknown

/** A server that gives one answer to each connection in turn, the last one to all that follow. */
async function serve(...answers: Answer[]) {
  const requests: IncomingMessage['headers'][] = []
  const server = createServer((request, response) => {
    requests.push(request.headers)
    void answers[Math.min(requests.length, answers.length) - 1]!(response, request)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const open = (response: ServerResponse, ...blocks: string[]) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write('retry: 20\n\n')
  for (const block of blocks) response.write(block)
}
const message = (id: string, text = id) =>
  `id: ${id}\ndata: ${JSON.stringify({ type: 'direct-message', item: { message: text } })}\n\n`
const refuse =
  (status: number, code: string): Answer =>
  (response) =>
    response
      .writeHead(status, { 'content-type': 'application/problem+json', 'retry-after': '0' })
      .end(JSON.stringify({ type: `/docs/errors#${code}`, detail: 'no' }))

async function readTexts(baseUrl: string, count: number, options: ReadEventsOptions = {}) {
  const texts: string[] = []
  if (count === 0) return texts
  for await (const event of readEvents({ baseUrl, token: 't' }, options)) {
    texts.push('item' in event ? event.item.message : event.type)
    if (texts.length === count) break
  }
  return texts
}

test('it resumes where it was, gives each event once, and reads bytes cut at any place', async () => {
  await using server = await serve(
    async (response) => {
      open(response, ':\nid: 4\n\n')
      const bytes = Buffer.from(message('5.5', 'grüße 👋') + message('5.7') + 'id: 9.9\ndata: {"type":"dir')
      for (const byte of bytes) {
        response.write(Buffer.from([byte]))
        if (byte > 127) await sleep(1)
      }
      response.end()
    },
    (response) => response.destroy(),
    (response) =>
      open(
        response,
        message('6.6'),
        message('7.7'),
        'data: {"type":"typing","fromaddr":"a"}\n\n',
        message('8.8'),
      ),
  )
  const positions: string[] = []
  let opened = 0
  const texts = await readTexts(server.baseUrl, 5, {
    lastEventId: '3',
    onPosition: (id) => positions.push(id),
    onOpen: () => opened++,
  })
  expect(texts).toEqual(['grüße 👋', '5.7', '6.6', 'typing', '8.8'])
  expect(server.requests.map((headers) => headers['last-event-id'])).toEqual(['3', '5.7', '5.7'])
  expect(server.requests[0]).toMatchObject({ authorization: 'Bearer t', accept: 'text/event-stream' })
  // A reader that stops at an event resumes with it.
  expect(positions).toEqual(['4', '5.5', '5.7', '6.6', '7.7'])
  expect(opened).toBe(2)
})

test('resync comes through, each time', async () => {
  const block = 'id: 9\ndata: {"type":"resync"}\n\n'
  await using server = await serve((response) => open(response, block, block))
  expect(await readTexts(server.baseUrl, 2)).toEqual(['resync', 'resync'])
})

test('a refusal is thrown, also when it comes later', async () => {
  await using server = await serve(
    (response) => {
      open(response, message('1.1'))
      response.end()
    },
    refuse(401, 'unauthorized'),
  )
  await expect(readTexts(server.baseUrl, 2)).rejects.toMatchObject({ code: 'unauthorized', status: 401 })
  await using forbidding = await serve(refuse(403, 'forbidden'))
  await expect(readTexts(forbidding.baseUrl, 1)).rejects.toMatchObject({ status: 403 })
})

test('a service that is busy, away or sends invalid events is tried again', async () => {
  await using server = await serve(
    refuse(503, 'unavailable'),
    refuse(429, 'rate_limited'),
    (response) => open(response, 'data: {{{\n\n'),
    (response) => open(response, message('1.1')),
  )
  const errors: unknown[] = []
  const begun = Date.now()
  expect(await readTexts(server.baseUrl, 1, { onReconnect: (error) => errors.push(error) })).toEqual(['1.1'])
  expect(errors.length).toBe(3)
  // The waits grow: at least half a second, then one. The service's `retry:` shortens the last.
  expect(Date.now() - begun).toBeGreaterThan(1500)
})

test('an abort ends it quietly, while it reads and while it waits', async () => {
  await using server = await serve((response) => open(response, message('1.1')))
  const stop = new AbortController()
  const texts: unknown[] = []
  const reading = (async () => {
    for await (const event of readEvents({ baseUrl: server.baseUrl }, { signal: stop.signal }))
      texts.push(event)
  })()
  await expect.poll(() => texts.length).toBe(1)
  stop.abort()
  await reading

  await using away = await serve((response) => response.destroy())
  const giveUp = new AbortController()
  const waiting = readEvents({ baseUrl: away.baseUrl }, { signal: giveUp.signal }).next()
  await expect.poll(() => away.requests.length).toBe(1)
  giveUp.abort()
  expect(await waiting).toEqual({ done: true, value: undefined })
  expect(await readTexts(server.baseUrl, 0)).toEqual([])
  await expect(
    readEvents({ baseUrl: server.baseUrl }, { signal: AbortSignal.abort() }).next(),
  ).resolves.toEqual({
    done: true,
    value: undefined,
  })
})

test('leaving the loop closes the connection', async () => {
  let closed = false
  await using server = await serve((response) => {
    response.on('close', () => (closed = true))
    open(response, message('1.1'))
  })
  expect(await readTexts(server.baseUrl, 1)).toEqual(['1.1'])
  await expect.poll(() => closed).toBe(true)
})
