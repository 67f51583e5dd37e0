// What API keys and sign-ins with each scope may do, asked of every endpoint of the contract: what it declares, and nothing else.

import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { type Endpoint, paramNames } from '@parley/sdk/contract/endpoint.ts'
import { contract } from '@parley/sdk/contract/index.ts'
import {
  allScopes,
  formsOf,
  type Kind,
  kindOfScope,
  narrowScopes,
  type Scope,
  scopes,
  wideScopes,
} from '@parley/sdk/contract/scopes.ts'
import { beforeAll, expect, test } from 'vitest'
import { addOperator } from '../../testing/people/moderators.ts'
import { newApiKeyOf } from '../../testing/people/secrets.ts'
import { fieldsOf, requestOf } from '../../testing/cases/callers.ts'
import { newWallet, useService } from '../../testing/service/service.ts'
import { issueToken } from '../src/auth/tokens.ts'
import { canonicalScope } from '../src/values/scopes.ts'

const all = Object.entries<Endpoint>(contract)
const [owner, peer, stranger] = [newWallet(), newWallet(), newWallet()]
const punks = '0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb'

const service = useService()
beforeAll(async () => {
  // Nothing is refused for another reason: the owner may all that a wallet may.
  await addOperator(service, owner)
  const asPeer = await service.as(peer)
  await asPeer.sendDirectMessage({ body: { fromaddr: peer, toaddr: owner, message: 'gm' } })
})

const fixed = {
  toaddr: peer,
  peer,
  nftaddr: punks,
  contract: punks,
  community: 'Town',
  id: 1,
  nftid: '7',
  time: '1',
  type: 'dm',
  name: owner,
  wallet: peer,
  email: 'alice@example.org',
}

/** A request of the owner; a pair of wallets is the owner and another one. */
const requestBy = (endpoint: Endpoint, more: Record<string, unknown> = {}, other = owner) => {
  const others = Object.fromEntries(paramNames(endpoint.path).map((name) => [name, owner]))
  return requestOf(endpoint, [owner, other], { ...others, ...fixed, ...more })
}

/** Whether a caller is refused for its scopes, after all else was right. */
async function isRefused(
  bearer: string,
  endpoint: Endpoint,
  more?: Record<string, unknown>,
  other?: string,
): Promise<boolean> {
  const answer = await service.app.inject({
    ...requestBy(endpoint, more, other),
    method: endpoint.produces === 'text/event-stream' ? 'HEAD' : endpoint.method,
    headers: { authorization: `Bearer ${bearer}` },
  })
  // Signing in has no token yet.
  if (endpoint.access !== 'public') expect([401, 429], endpoint.path).not.toContain(answer.statusCode)
  // What asks a chain finds none.
  expect(answer.statusCode, endpoint.path).not.toBe(500)
  if (answer.statusCode !== 403) return false
  // The head of a stream has no text.
  if (answer.body !== '')
    expect(answer.json(), endpoint.path).toMatchObject({ type: '/docs/errors#forbidden' })
  return answer.body === '' || /API key|sign-in with (the )?scope/.test(answer.json().detail)
}

async function keyWith(...of: string[]): Promise<string> {
  // A wallet has a few keys at most.
  await service.ctx.db.query('delete from api_keys where walletaddr = $1', [owner])
  return newApiKeyOf(service, owner, of)
}
let sessions = 0
const tokenWith = (...of: string[]) =>
  issueToken(service.ctx, owner, { scopes: of.map(canonicalScope), session: `a session ${sessions++}` })
const callers = { 'an API key': keyWith, 'a sign-in': tokenWith }

/** What the contract says. */
const isOpenTo = ({ access, scope }: Endpoint, has: readonly string[], who: string): boolean =>
  access === 'public' ||
  scope === 'any' ||
  (scope === 'sign-in' && who === 'a sign-in') ||
  (scope !== undefined && [scope].flat().some((one) => has.includes(one)))

/** It answers a page to who has no token, and knows a wallet by its token: no scope is taken for either. */
const refusesScopes = new Set(['verifyEmail'])

const eachCaller = <T>(cases: readonly T[]) =>
  Object.entries(callers).flatMap(([who, callerWith]) => cases.map((one) => ({ who, callerWith, of: one })))

test.each(eachCaller<readonly Scope[]>([[], ...wideScopes.map((scope) => [scope]), [...wideScopes]]))(
  '$who with the scopes $of may call what the contract says, and nothing else',
  async ({ who, callerWith, of: has }) => {
    const make = () => callerWith(...has)
    let bearer = await make()
    for (const [name, endpoint] of all) {
      const isOpen = isOpenTo(endpoint, has, who)
      expect(await isRefused(bearer, endpoint), name).toBe(refusesScopes.has(name) || !isOpen)
      // This has ended it.
      if (endpoint.scope === 'sign-in' && isOpen) bearer = await make()
    }
  },
  60_000,
)

interface Target {
  /** The values of the form. */
  written: readonly string[]
  /** Those of a request that it is for, and of one that it is not for. */
  right: readonly string[]
  wrong: readonly string[]
}

const loud = (address: string) => `0x${address.slice(2).toUpperCase()}`
const targets: Record<Kind, readonly Target[]> = {
  peer: [
    { written: [peer], right: [peer], wrong: [stranger] },
    { written: [loud(peer)], right: [peer], wrong: [owner] },
  ],
  chat: [
    { written: ['Town'], right: ['tOWN'], wrong: [punks] },
    { written: [loud(punks)], right: [punks], wrong: ['Town'] },
    { written: ['read'], right: ['read'], wrong: ['Town'] },
  ],
  nft: [
    { written: [loud(punks), '7'], right: [punks, '7'], wrong: [punks, '8'] },
    { written: [punks, '0'], right: [punks, '0'], wrong: [peer, '0'] },
  ],
}

const written = (scope: Scope, values: readonly string[]) => {
  const rest = [...values]
  return narrowScopes[scope]!.form.replace(/<\w+>/g, () => rest.shift()!)
}

const narrow = (Object.keys(narrowScopes) as Scope[]).flatMap((scope) =>
  targets[kindOfScope[scope]!]
    .map((target) => ({ scope, target, text: written(scope, target.written) }))
    // `chat:read` is the scope for all chats.
    .filter(({ text }) => !(wideScopes as readonly string[]).includes(text)),
)

/** The values of a request about one wallet, chat or NFT. */
function about({ place }: Endpoint, kind: Kind, values: readonly string[]): Record<string, unknown> {
  if (typeof place !== 'object') return {}
  const fields = place[kind] ?? []
  const given = fields.slice(-values.length).map((field, n) => [field, values[n]])
  return {
    ...Object.fromEntries(given),
    ...(place.by && { [place.by]: kind === 'peer' ? 'dm' : 'community' }),
  }
}

test.each(eachCaller(narrow).map(({ of, ...rest }) => Object.assign(rest, of)))(
  '$who with $text may call what the contract says for that one alone, and nothing else',
  async ({ who, callerWith, scope, target: { right, wrong }, text }) => {
    const kind = kindOfScope[scope]!
    let bearer = await callerWith(text)
    for (const [name, endpoint] of all) {
      const isOpen =
        isOpenTo(endpoint, [scope], who) && (endpoint.place !== undefined || !accepts(endpoint, scope))
      const refused = (values: readonly string[]) =>
        isRefused(bearer, endpoint, about(endpoint, kind, values), values[0])
      expect(await refused(right), name).toBe(refusesScopes.has(name) || !isOpen)
      if (isOpen && accepts(endpoint, scope) && typeof endpoint.place === 'object')
        expect(await refused(wrong), `${name} of another`).toBe(true)
      if (endpoint.scope === 'sign-in' && isOpen) bearer = await callerWith(text)
    }
  },
  60_000,
)

const accepts = ({ scope }: Endpoint, one: Scope) =>
  scope !== 'any' && scope !== 'sign-in' && [scope ?? []].flat().includes(one)

test('the place of an endpoint is made of its own fields, and names what its narrow scopes are for', () => {
  for (const [name, endpoint] of all) {
    const { place } = endpoint
    if (typeof place === 'object')
      for (const field of Object.values(place).flat()) expect(fieldsOf(endpoint), name).toContain(field)
    for (const scope of allScopes.filter((one) => accepts(endpoint, one) && narrowScopes[one]?.alone))
      expect(place === 'handler' || place?.[kindOfScope[scope]!] !== undefined, `${name} ${scope}`).toBe(true)
  }
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
    'This needs an API key with the scope dm:send or dm:send:<address> or dm:begin or dm:<address>. This one has public:read.',
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
