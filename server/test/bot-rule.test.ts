// The rule of bots, whatever is called and whatever happened before: a bot sends to another wallet only when that has written to
// it or decided about it.

import type { ApiError } from '@parley/sdk'
import type { Endpoint } from '@parley/sdk/contract/endpoint.ts'
import { contract } from '@parley/sdk/contract/index.ts'
import { wideScopes } from '@parley/sdk/contract/scopes.ts'
import fc from 'fast-check'
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { newApiKeyOf } from '../../testing/people/secrets.ts'
import { newToken, newWallet, useService } from '../../testing/service/service.ts'

const service = useService()
const other = useService({ beside: service })

async function newBot(): Promise<string> {
  const bot = newWallet()
  await (await service.as(bot)).becomeBot()
  await expect.poll(async () => (await (await other.as(bot)).getBot()).is_bot, { timeout: 3_000 }).toBe(true)
  return bot
}

/** A request of a wallet about another one, with the examples of the contract: of all fields, or of the needed ones. */
function requestOf(endpoint: Endpoint, wallet: string, peer: string, all: boolean) {
  const self = [endpoint.self ?? []].flat()
  const fixed: Record<string, string> = { id: '1', time: '1', type: 'dm', nftid: '7' }
  const valueOf = (name: string) => (self[0] === name ? wallet : peer)
  const url = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => fixed[name] ?? valueOf(name))
  if (!Type.IsObject(endpoint.body)) return { url }
  const { properties, required } = endpoint.body as {
    properties: Record<string, { examples?: unknown[]; 'x-canonical'?: string }>
    required?: string[]
  }
  const fields = Object.entries(properties).filter(([name]) => all || required?.includes(name))
  return {
    url,
    payload: Object.fromEntries(
      fields.map(([name, { examples, 'x-canonical': isAddress }]) => [
        name,
        isAddress ? valueOf(name) : examples?.[0],
      ]),
    ),
  }
}

/** It would change who calls. */
const ends = new Set(['eraseAccount', 'signOutEverywhere', 'signOut', 'becomeBot'])
const writing = Object.entries<Endpoint>(contract).filter(
  ([name, { method }]) => method !== 'GET' && !ends.has(name),
)

/** The endpoints by which a wallet, with a token or a key, stores a message to one that has decided nothing. */
async function waysOf(wallet: string, token: string): Promise<string[]> {
  const found = new Set<string>()
  for (const [name, endpoint] of writing)
    for (const all of [true, false])
      for (const { app } of [service, other]) {
        const headers = { authorization: `Bearer ${token}`, 'idempotency-key': newWallet() }
        const { statusCode } = await app.inject({
          method: endpoint.method,
          headers,
          ...requestOf(endpoint, wallet, newWallet(), all),
        })
        expect(statusCode, name).not.toBe(500)
        const stored = await service.ctx.db.query(
          'delete from direct_messages where fromaddr = $1 and toaddr <> $1 returning 1 as one',
          [wallet],
        )
        if (stored.length > 0) found.add(name)
      }
  return [...found]
}

test.each([
  ['a sign-in', (wallet: string) => newToken(service.ctx, wallet)],
  ['a key with dm:begin', (wallet: string) => newApiKeyOf(service, wallet, ['dm:begin'])],
  ['a key with every scope', (wallet: string) => newApiKeyOf(service, wallet, [...wideScopes])],
])(
  'by no endpoint does a bot with %s begin a conversation, and a person does by one',
  async (_what, tokenOf) => {
    const person = newWallet()
    expect(await waysOf(person, await tokenOf(person))).toEqual(['sendDirectMessage'])
    const bot = await newBot()
    expect(await waysOf(bot, await tokenOf(bot))).toEqual([])
  },
  60_000,
)

const steps = [
  'write',
  'accepted',
  'ignored',
  'unknown',
  'block',
  'unblock',
  'hide',
  'erase',
  'send',
] as const
type Step = (typeof steps)[number]

test('after any history a bot sends where, and only where, the other has written', async () => {
  const bot = await newBot()
  const play = async (history: { step: Step; there: boolean }[]) => {
    const peer = newWallet()
    const known = { written: false, blocked: false }
    for (const { step, there } of [...history, { step: 'send' as const, there: false }]) {
      const at = there ? other : service
      const asPeer = await at.as(peer)
      const contact = (body: object) => asPeer.setContact({ peer: bot, body })
      const send = async (fromaddr: string, toaddr: string) =>
        (await at.as(fromaddr)).sendDirectMessage({ body: { fromaddr, toaddr, message: 'gm' } }).then(
          () => 'sent',
          ({ code }: ApiError) => code,
        )
      if (step === 'send') expect(await send(bot, peer)).toBe(known.written ? 'sent' : 'not_asked')
      else if (step === 'write') {
        expect(await send(peer, bot)).toBe(known.blocked ? 'conflict' : 'sent')
        known.written ||= !known.blocked
      } else if (step === 'block' || step === 'unblock') {
        await contact({ blocked: step === 'block' })
        known.blocked = step === 'block'
      } else if (step === 'hide') await asPeer.hideConversation({ toaddr: bot })
      else if (step === 'erase') {
        await asPeer.eraseAccount({ address: peer })
        known.written = known.blocked = false
      } else {
        await contact({ state: step })
        known.blocked = false
      }
    }
  }
  const history = fc.array(fc.record({ step: fc.constantFrom(...steps), there: fc.boolean() }), {
    minLength: 1,
    maxLength: 12,
  })
  await fc.assert(fc.asyncProperty(history, play), { numRuns: 40, endOnFailure: true })
}, 120_000)
