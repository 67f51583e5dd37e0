// Each status and media type with which an operation answers stands in the OpenAPI document: every operation of the contract is
// asked in the ways in which clients ask, and go wrong.

import { type Endpoint, paramNames } from '@parley/sdk/contract/endpoint.ts'
import { contract } from '@parley/sdk/contract/index.ts'
import { params } from '@parley/sdk/contract/params.ts'
import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newHookOf } from '../../testing/people/secrets.ts'
import { exampleOf } from '../../testing/cases/longest-texts.ts'
import { addOperator } from '../../testing/people/moderators.ts'
import { newToken, newWallet, type Service, useService } from '../../testing/service/service.ts'
import { startSmtp } from '../../testing/outside/smtp.ts'
import { startTelegram } from '../../testing/outside/telegram-api.ts'
import { settingsOfAll } from '../../testing/service/whole-service.ts'

type Responses = Record<string, { content?: Record<string, unknown> }>
type Schema = Parameters<typeof exampleOf>[0]

const all = Object.entries<Endpoint>(contract)

let paths: Record<string, Record<string, { responses: Responses }>>
const stack = new AsyncDisposableStack()
let settings: ReturnType<typeof settingsOfAll>
beforeAll(async () => {
  const [smtp, telegram] = [stack.use(await startSmtp()), stack.use(await startTelegram())]
  settings = settingsOfAll({ smtp, telegram })
})
afterAll(() => stack.disposeAsync())
const services = {
  open: useService(() => settings),
  short: useService(() => ({ ...settings, disk: { isShort: true } })),
  full: useService(() => ({ ...settings, rateLimits: true })),
}
beforeAll(async () => {
  for (const service of Object.values(services)) await addOperator(service, operator)
  paths = (await services.open.app.inject('/docs/json')).json().paths
})

const operator = newWallet()

/** The requests of an endpoint: what is right for a wallet, and what is wrong with it. */
async function* requestsTo(
  service: Service,
  endpoint: Endpoint,
  { onlyRight = false } = {},
): AsyncGenerator<InjectOptions & { url: string }> {
  const method = endpoint.produces === 'text/event-stream' ? 'HEAD' : endpoint.method
  const self = new Set<string>([endpoint.self ?? []].flat())
  const hook = endpoint.byHook && (await newHookOf(service, operator, newWallet()))
  const urlWith = (wallet: string, other?: string) =>
    endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(
        other ??
          (self.has(name)
            ? wallet
            : name === 'secret' && hook
              ? hook
              : String(exampleOf(params[name] as Schema))),
      ),
    )
  const bodyOf = (wallet: string) => {
    const body = endpoint.body && structuredClone(exampleOf(endpoint.body as Schema))
    if (typeof body === 'object' && body !== null)
      for (const name of self) if (name in body) (body as Record<string, unknown>)[name] = wallet
    return body
  }
  const [wallet, stranger] = [newWallet(), newWallet()]
  const bearer = async (who: string) => ({ authorization: `Bearer ${await newToken(service.ctx, who)}` })
  const json = { 'content-type': 'application/json' }
  const withBody = (who: string, payload = JSON.stringify(bodyOf(who))) => (endpoint.body ? { payload } : {})
  const jsonType = endpoint.body ? json : {}
  for (const who of [wallet, operator, stranger])
    for (const accept of ['*/*', 'text/html,application/xhtml+xml', 'image/png']) {
      const headers = { ...(await bearer(who)), ...jsonType, accept }
      yield { method, url: urlWith(who), headers, ...withBody(who) }
      yield { method, url: urlWith(wallet), headers, ...withBody(wallet) }
      if (method === 'GET') yield { method: 'HEAD', url: urlWith(who), headers }
    }
  yield { method, url: urlWith(wallet), headers: jsonType, ...withBody(wallet) }
  if (onlyRight) return
  for (const accept of ['*/*', 'text/html'])
    yield { method, url: urlWith(wallet, 'a'), headers: { ...jsonType, accept }, ...withBody(wallet) }
  for (const authorization of ['Bearer wrong', `Bearer ${settingsKey}`, 'Basic YTpi'])
    yield { method, url: urlWith(wallet), headers: { ...jsonType, authorization }, ...withBody(wallet) }
  const headers = { ...(await bearer(operator)), ...jsonType }
  for (const other of ['a@b.example', '999999999', '0', ' ', '\0', newWallet(), 'a'.repeat(9000)])
    yield { method, url: urlWith(operator, other), headers, ...withBody(operator) }
  yield { method, url: `${urlWith(operator)}?limit=x&before=1e309`, headers, ...withBody(operator) }
  yield { method, url: `${urlWith(operator)}%zz`, headers, ...withBody(operator) }
  for (const key of ['', 'one', 'one', 'a b'])
    yield {
      method,
      url: urlWith(operator),
      headers: { ...headers, 'idempotency-key': key },
      ...withBody(operator),
    }
  if (method === 'GET' || method === 'HEAD') return
  for (const type of [
    'application/xml',
    'text/plain',
    'multipart/form-data; boundary=a',
    'application/x-www-form-urlencoded',
    'nonsense',
  ])
    yield { method, url: urlWith(operator), headers: { ...headers, 'content-type': type }, payload: 'a=b' }
  for (const payload of ['{', '{}', '[]', 'null', '', `"${'a'.repeat(endpoint.maxBody ?? 300_000)}"`])
    yield { method, url: urlWith(operator), headers: { ...headers, ...json }, payload }
}
const settingsKey = settingsOfAll({ smtp: {}, telegram: {} } as never).adminApiKey

/** The statuses of all answers. */
const seen = new Set<number>()

/** What the document has of an answer. */
function isDocumented({ path, method }: Endpoint, status: number, type: string | undefined): boolean {
  const { responses } = paths[path.replace(/\/$/, '')]![method.toLowerCase()]!
  const response = responses[status] ?? responses[`${String(status)[0]}XX`]
  return response !== undefined && (type === undefined || response.content?.[type] !== undefined)
}

async function undocumented(service: Service, endpoint: Endpoint, which = { onlyRight: false }) {
  const found = new Set<string>()
  const statuses = new Set<number>()
  for await (const request of requestsTo(service, endpoint, which)) {
    const { statusCode, headers, body } = await service.app.inject(request)
    statuses.add(statusCode)
    seen.add(statusCode)
    const type = body === '' ? undefined : String(headers['content-type']).split(';')[0]!
    if (!isDocumented(endpoint, statusCode, type))
      found.add(`${statusCode} ${type} of ${request.method} ${request.url.slice(0, 80)}`)
  }
  return { found: [...found], statuses }
}

test.each(all)('%s', async (_, endpoint) => {
  const { found, statuses } = await undocumented(services.open, endpoint)
  expect(found).toEqual([])
  expect(statuses.size).toBeGreaterThan(
    paramNames(endpoint.path).length > 0 || endpoint.access !== 'public' ? 1 : 0,
  )
})

// What is wrong in itself is refused as above.
test('what is refused because there are too many requests, or no room', async () => {
  for (const service of [services.full, services.short])
    for (const [name, endpoint] of all) {
      const { found } = await undocumented(service, endpoint, { onlyRight: true })
      expect([name, found]).toEqual([name, []])
    }
  expect([...seen]).toEqual(expect.arrayContaining([413, 415, 429, 503]))
})
