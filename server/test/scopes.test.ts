// What API keys with each scope may do, asked of every endpoint of the contract: what it declares, and nothing else.

import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { type Endpoint, paramNames } from '@parley/sdk/contract/endpoint.ts'
import { contract } from '@parley/sdk/contract/index.ts'
import { allScopes, fieldOfScope, formsOf, type Scope, scopes } from '@parley/sdk/contract/scopes.ts'
import { Type } from 'typebox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addOperator } from '../../testing/people/moderators.ts'
import { newApiKeyOf } from '../../testing/people/secrets.ts'
import { requestOf } from '../../testing/cases/callers.ts'
import { newWallet, type Service, startService } from '../../testing/service/service.ts'

const all = Object.entries<Endpoint>(contract)
const [owner, peer, stranger] = [newWallet(), newWallet(), newWallet()]
const punks = '0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb'

let service: Service
beforeAll(async () => {
  service = await startService()
  // Nothing is refused for another reason: the owner may all that a wallet may.
  await addOperator(service, owner)
  const asPeer = await service.as(peer)
  await asPeer.sendDirectMessage({ body: { fromaddr: peer, toaddr: owner, message: 'gm' } })
})
afterAll(() => service[Symbol.asyncDispose]())

const fixed = {
  toaddr: peer,
  peer,
  nftaddr: punks,
  contract: punks,
  community: 'Town',
  id: '1',
  nftid: '7',
  time: '1',
  type: 'dm',
  name: owner,
  wallet: peer,
  email: 'alice@example.org',
}

/** A request of the owner. */
const requestBy = (endpoint: Endpoint, more: Record<string, string> = {}) => {
  const others = Object.fromEntries(paramNames(endpoint.path).map((name) => [name, owner]))
  return requestOf(endpoint, [owner, owner], { ...others, ...fixed, ...more })
}

/** Whether a key is refused because it is one, after all else was right. */
async function isRefused(key: string, endpoint: Endpoint, more?: Record<string, string>): Promise<boolean> {
  const answer = await service.app.inject({
    ...requestBy(endpoint, more),
    method: endpoint.produces === 'text/event-stream' ? 'HEAD' : endpoint.method,
    headers: { authorization: `Bearer ${key}` },
  })
  // Signing in has no token yet.
  if (endpoint.access !== 'public') expect([401, 429], endpoint.path).not.toContain(answer.statusCode)
  // What asks a chain finds none.
  expect(answer.statusCode, endpoint.path).not.toBe(500)
  if (answer.statusCode !== 403) return false
  // The head of a stream has no text.
  if (answer.body !== '')
    expect(answer.json(), endpoint.path).toMatchObject({ type: '/docs/errors#forbidden' })
  return answer.body === '' || /API key/.test(answer.json().detail)
}

const keyWith = (...of: string[]) => newApiKeyOf(service, owner, of)

/** What the contract says. */
const isOpenTo = ({ access, scope }: Endpoint, has: readonly string[]): boolean =>
  access === 'public' ||
  scope === 'any' ||
  (scope !== undefined && [scope].flat().some((one) => has.includes(one)))

/** It answers a page to who has no token, and knows a wallet by its token: no key is taken for either. */
const refusesKeys = new Set(['verifyEmail'])

test.each([{ has: [] }, ...allScopes.map((scope) => ({ has: [scope] })), { has: [...allScopes] }])(
  'a key with the scopes $has may call what the contract says, and nothing else',
  async ({ has }: { has: string[] }) => {
    const key = await keyWith(...has)
    for (const [name, endpoint] of all)
      expect(await isRefused(key, endpoint), name).toBe(refusesKeys.has(name) || !isOpenTo(endpoint, has))
  },
  60_000,
)

test.each([
  ['dm:send', `dm:send:${peer}`, { toaddr: peer }, { toaddr: stranger }],
  ['dm:send', `dm:send:${peer.replace('0x', '0X').toUpperCase().replace('0X', '0x')}`, {}, { toaddr: owner }],
  ['chat:post', 'chat:Town:post', { nftaddr: 'tOWN' }, { nftaddr: punks }],
  ['chat:post', `chat:${punks.toUpperCase().replace('0X', '0x')}:post`, {}, { nftaddr: 'Town' }],
  ['chat:post', 'chat:read:post', { nftaddr: 'read' }, { nftaddr: 'Town' }],
])('%s for one alone, %s, is for that one and no other', async (scope, written, right, wrong) => {
  const key = await keyWith(written)
  for (const [name, endpoint] of all) {
    const isOpen = isOpenTo(endpoint, [scope])
    expect(await isRefused(key, endpoint, right), name).toBe(refusesKeys.has(name) || !isOpen)
    if (isOpen && endpoint.scope !== 'any' && endpoint.access !== 'public')
      expect(await isRefused(key, endpoint, wrong), name).toBe(true)
  }
})

test('where a scope is for one alone, each of its endpoints has the field that says for which', () => {
  const places = ({ path: pattern, body }: Endpoint) => [
    ...pattern.matchAll(/\{(\w+)\}/g).map(([, name]) => name),
    ...Object.keys(Type.IsObject(body) ? body.properties : {}),
  ]
  for (const [name, endpoint] of all)
    for (const scope of endpoint.scope === 'any' ? [] : [endpoint.scope ?? []].flat())
      if (fieldOfScope[scope]) expect(places(endpoint), name).toContain(fieldOfScope[scope])
})

test('a key for chats types in chats and to no wallet; a key for direct messages the other way round', async () => {
  const typist = newWallet()
  const statusOf = async (scope: string, body: object) =>
    (
      await service.app.inject({
        method: 'POST',
        url: '/v1/typing',
        headers: { authorization: `Bearer ${await newApiKeyOf(service, typist, [scope])}` },
        payload: { fromaddr: typist, ...body },
      })
    ).statusCode
  for (const [scope, other] of [
    ['chat:post', { toaddr: peer }],
    ['dm:send', { nftaddr: punks }],
    ['dm:begin', { nftaddr: punks }],
    [`dm:send:${peer}`, { toaddr: stranger }],
    ['inbox:write', { toaddr: peer }],
  ] as const)
    expect([scope, await statusOf(scope, other)]).toEqual([scope, 403])
  for (const scope of ['dm:send', 'dm:begin', `dm:send:${peer}`])
    expect([scope, await statusOf(scope, { toaddr: peer })]).toEqual([scope, 204])
  await (await service.as(typist)).joinChat({ body: { walletaddr: typist, nftaddr: punks } })
  for (const scope of ['chat:post', `chat:${punks}:post`])
    expect([scope, await statusOf(scope, { nftaddr: punks })]).toEqual([scope, 204])
})

test('a refusal says which scope is needed, or that no key may; the reference says it too', async () => {
  const key = await keyWith('public:read')
  const headers = { authorization: `Bearer ${key}` }
  const refused = async (endpoint: Endpoint) => {
    const answer = await service.app.inject({ ...requestBy(endpoint), headers })
    return answer.json().detail
  }
  expect(await refused(contract.getInbox)).toBe(
    'This needs an API key with the scope inbox:read. This one has public:read.',
  )
  expect(await refused(contract.sendDirectMessage)).toBe(
    'This needs an API key with the scope dm:send or dm:send:<address> or dm:begin. This one has public:read.',
  )
  expect(await refused(contract.eraseAccount)).toBe('No API key may do this: sign in with the wallet.')
  const { paths } = (await service.app.inject('/docs/json')).json()
  expect(paths['/v1/get_inbox/{address}'].get.description).toContain(
    'An API key needs the scope `inbox:read`',
  )
  expect(paths['/v1/account/{address}'].delete.description).toContain('No API key may do this')
})

test('docs/bots.md has a table of all scopes and what they open', async () => {
  const page = await readFile(path.join(import.meta.dirname, '../../docs/bots.md'), 'utf8')
  const opens = (scope: Scope) =>
    all
      .filter(([, endpoint]) => endpoint.scope !== undefined && [endpoint.scope].flat().includes(scope))
      .map(([name]) => `\`${name}\``)
      .join(', ')
  const rows = allScopes.map((scope) => [
    formsOf([scope])
      .map((form) => `\`${form}\``)
      .join(', '),
    scopes[scope],
    opens(scope),
  ])
  const cellsOf = (line: string) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim())
  const found = page
    .split('\n')
    .filter((line) => /^\| `[a-z]+:/.test(line))
    .map(cellsOf)
  expect(found).toEqual(rows)
})
