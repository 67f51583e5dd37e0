// Traces as a collector gets them: a real service sends its spans by OTLP to a receiver of this test.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createClient, signInWith } from '@parley/sdk'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { newFolder } from '../../testing/service/files.ts'
import { freePort } from '../../testing/service/ports.ts'
import { createServiceProcess } from '../../testing/service/service-process.ts'

interface Span {
  name: string
  kind: number
  traceId: string
  spanId: string
  parentSpanId?: string
  status?: { code?: number }
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
}
interface Request {
  resourceSpans: { resource: { attributes: Span['attributes'] }; scopeSpans: { spans: Span[] }[] }[]
}

/** A collector; `bodies` is all that it was sent. */
async function startCollector() {
  const bodies: string[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    if (request.url === '/v1/traces') bodies.push(body)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    spans: () =>
      bodies
        .flatMap((body) => (JSON.parse(body) as Request).resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function startTraced(endpoint: string, folder: string, env: Record<string, string> = {}) {
  const service = createServiceProcess({
    port: await freePort(),
    env: {
      DATA_DIR: folder,
      DRAIN_SECONDS: '0',
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_BSP_SCHEDULE_DELAY: '200',
      ...env,
    },
  })
  service.launch()
  await service.until('docs')
  return service
}

const account = privateKeyToAccount(generatePrivateKey())
const signIn = async (baseUrl: string) => {
  const signMessage = (message: string) => account.signMessage({ message })
  return (await signInWith({ baseUrl }, { address: account.address, signMessage })).token
}

test('a request and what it asks the database is one trace, below that of the caller; nothing of people is in it', async () => {
  await using collector = await startCollector()
  await using folder = await newFolder('traces')
  const token = 'a-token-for-metrics-that-is-long-enough'
  await using service = await startTraced(collector.url, folder.path, { METRICS_TOKEN: token })
  const parent = { trace: 'ab'.repeat(16), span: 'cd'.repeat(8) }
  const client = createClient({
    baseUrl: service.url,
    token: await signIn(service.url),
    fetch: (input, init) => {
      const headers = new Headers(init?.headers)
      headers.set('traceparent', `00-${parent.trace}-${parent.span}-01`)
      return fetch(input, { ...init, headers })
    },
  })
  const toaddr = privateKeyToAccount(generatePrivateKey()).address
  const text = 'a recognisable text'
  await client.sendDirectMessage({ body: { fromaddr: account.address, toaddr, message: text } })
  await client.updateSettings({ body: { walletaddr: account.address, email: 'someone@example.org' } })
  const nftaddr = toaddr.toLowerCase()
  const [hook] = await client.createIncomingHook({ body: { label: text, nftaddr } })
  const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"text":"gm"}' }
  expect((await fetch(service.url + new URL(hook!.url!).pathname, post)).status).toBe(200)
  const named = (name: RegExp) => collector.spans().find((span) => name.test(span.name))
  await expect.poll(() => named(/^job send-verification-email$/), { timeout: 15_000 }).toBeDefined()
  await expect.poll(() => named(/^POST \/v1\/create_chatitem$/), { timeout: 5_000 }).toBeDefined()

  await expect.poll(() => named(/^POST \/v1\/hooks\/:secret$/), { timeout: 5_000 }).toBeDefined()

  const request = named(/^POST \/v1\/create_chatitem$/)!
  expect(request).toMatchObject({ traceId: parent.trace, parentSpanId: parent.span, kind: 2 })
  expect(request.attributes).toContainEqual({ key: 'http.response.status_code', value: { intValue: 200 } })
  const batch = collector.spans().find(({ parentSpanId }) => parentSpanId === request.spanId)!
  expect(batch).toMatchObject({ name: 'batch direct-messages', traceId: parent.trace })
  const statement = collector.spans().find(({ parentSpanId }) => parentSpanId === batch.spanId)!
  expect(statement).toMatchObject({ name: expect.stringMatching(/^send_direct_message\w*_v\d+$/), kind: 3 })
  // A job has a trace of its own, and the mail's statement is in it.
  const job = named(/^job send-verification-email$/)!
  expect(job).toMatchObject({ kind: 5 })
  expect(job.traceId).not.toBe(parent.trace)
  expect(collector.spans().some(({ parentSpanId }) => parentSpanId === job.spanId)).toBe(true)
  // After a body has been read, a request is still in its trace.
  const changed = named(/^POST \/v1\/update_settings$/)!
  expect(collector.spans().some(({ parentSpanId }) => parentSpanId === changed.spanId)).toBe(true)

  const sent = collector.bodies.join('\n').toLowerCase()
  for (const secret of [
    text,
    account.address.slice(2).toLowerCase(),
    toaddr.slice(2).toLowerCase(),
    'someone@',
    'prh_',
    hook!.url!.slice(-40).toLowerCase(),
  ])
    expect(sent).not.toContain(secret)
  expect(sent).toContain('"parley"')
  const metrics = await fetch(`${service.url}/metrics`, {
    headers: { authorization: `Bearer ${token}`, accept: 'application/openmetrics-text' },
  })
  expect(await metrics.text()).toContain(`trace_id="${parent.trace}"`)
  const before = collector.spans().length
  await fetch(`${service.url}/healthz`)
  expect(await service.end('SIGTERM')).toBe(0)
  expect(collector.spans().length, 'what waits is sent at the end').toBeGreaterThan(before)
})

test('a collector that is away, or that never answers, fails and slows nothing', async () => {
  const stuck = createServer(() => {})
  await new Promise<void>((resolve) => stuck.listen(0, '127.0.0.1', resolve))
  const { port } = stuck.address() as AddressInfo
  for (const endpoint of ['http://127.0.0.1:9', `http://127.0.0.1:${port}`]) {
    await using folder = await newFolder('traces')
    await using service = await startTraced(endpoint, folder.path)
    const client = createClient({ baseUrl: service.url, token: await signIn(service.url) })
    for (let i = 0; i < 20; i++)
      await client.sendDirectMessage({
        body: { fromaddr: account.address, toaddr: account.address, message: 'x' },
      })
    const begun = performance.now()
    expect(await service.end('SIGTERM')).toBe(0)
    expect(performance.now() - begun).toBeLessThan(10_000)
  }
  stuck.closeAllConnections()
  stuck.close()
})
