// What a request makes the service keep is what its wallet is charged for: of every endpoint, by all that is called anywhere.

import type { Endpoint } from '@parley/sdk/contract/endpoint.ts'
import { contract } from '@parley/sdk/contract/index.ts'
import { expect, test } from 'vitest'
import { newCommunity } from '../../testing/people/chat-members.ts'
import { type Measured, measureCalls } from '../../testing/cases/measured-calls.ts'
import { onOneMachine } from '../../testing/service/engines.ts'
import { newName, newToken, newWallet, startService, useService } from '../../testing/service/service.ts'
import { startSmtp } from '../../testing/outside/smtp.ts'
import { startTelegram } from '../../testing/outside/telegram-api.ts'
import { settingsOfAll, useEverything } from '../../testing/service/whole-service.ts'
import { bytesOfChange, isChange } from '../src/limits/charges.ts'

const rate = { burst: 100_000, perSecond: 100_000 }
const limits = { rateLimits: true, readLimit: rate, writeLimit: rate, accountLimit: rate }

/** Bytes that a row of a table has besides what a body brings: its key, its times, its header. Rows of the log have none free. */
const ofRow = 512
const mostRows = 6
/** Bytes of a column that was empty before. */
const ofColumn = 64

/** What is kept of a call beyond that, in bytes, and why. */
const exceptions: Record<string, { most: number; why: string }> = {
  markDirectMessage: {
    most: 200 * 300,
    why: 'an event for each message before it that was withheld: once each, and its sender was charged for it',
  },
  openHandover: {
    most: 100,
    why: 'it fills the row of the link, once, for which the wallet that made it was charged; the row lasts minutes',
  },
}

const ofOperators = new Set(
  Object.entries<Endpoint>(contract).flatMap(([name, { access }]) => (access === 'operator' ? [name] : [])),
)

function overOf({ endpoint, grown, charged }: Measured): number {
  const tables = Object.entries(grown)
  const kept = tables.reduce((sum, [, { bytes }]) => sum + bytes, 0)
  const rows = tables.reduce((sum, [name, one]) => sum + (name === 'events' ? 0 : Math.max(0, one.rows)), 0)
  const paid = charged.bytes + charged.changes * bytesOfChange
  return kept - paid - ofRow * Math.min(rows, mostRows) - ofColumn - (exceptions[endpoint]?.most ?? 0)
}

const writing = Object.entries<Endpoint>(contract).filter(([, { method }]) => method !== 'GET')

// Triggers of tables record what is stored; on a cluster they would have to be on every node.
onOneMachine(
  'no call of any endpoint makes the service keep more than it is charged for, and a repeated one keeps nothing',
  async () => {
    await using smtp = await startSmtp()
    await using telegram = await startTelegram()
    await using own = await startService({ ...settingsOfAll({ smtp, telegram }), ...limits })
    const measured = await measureCalls(own)
    await useEverything(own, { smtp, telegram })
    const done = measured.filter(({ status }) => status < 300)
    const over = done.filter((one) => !ofOperators.has(one.endpoint) && overOf(one) > 0)
    expect(over).toEqual([])
    const grows = (repeated: Measured['grown'] = {}) =>
      Object.entries(repeated).some(
        // What is in blobs_gone is deleted within a minute, with the bytes that it names.
        ([table, { rows, bytes }]) => table !== 'blobs_gone' && (rows > 0 || bytes > ofColumn),
      )
    expect(done.filter(({ repeated }) => grows(repeated))).toEqual([])
    const notDone = {
      claimChat: 'a chain is asked: features/chat-moderation/claim.test.ts',
      replayDelivery: 'a delivery has to fail first: features/webhooks',
      verifyKey: 'there is no chain: features/keys',
    }
    const called = new Set(done.map(({ endpoint }) => endpoint))
    expect(
      writing
        .map(([name]) => name)
        .filter((name) => !called.has(name))
        .toSorted(),
    ).toEqual(Object.keys(notDone))
  },
  180_000,
)

test('what is no change of the day is a message, kept nowhere, ends access, or is of operators', () => {
  expect(
    writing
      .flatMap(([name, endpoint]) => (isChange(endpoint) || ofOperators.has(name) ? [] : [name]))
      .toSorted(),
  ).toEqual(
    [
      'sendDirectMessage',
      'postGroupMessage',
      'postCommunityMessage',
      'postByHook',
      'putFilePart',
      'sendTyping',
      'search',
      'verifyKey',
      'tryGate',
      'signOut',
      'signOutEverywhere',
      'endSession',
      'cancelHandover',
      'deleteApiKey',
      'deleteIncomingHook',
      'deleteWebhook',
      'deletePushSubscription',
      'deleteTelegramLink',
      'eraseAccount',
    ].toSorted(),
  )
})

const eventsOf = async (wallet: string) =>
  (await service.ctx.db.query('select 1 as one from events where walletaddr = $1', [wallet])).length

const service = useService({ ...limits, changesADay: 2 })

test('a wallet that toggles a flag is refused when its changes of the day are used up; messages and reading go on', async () => {
  const [alice, bob] = [newWallet(), newWallet()]
  const [asAlice, asBob] = [await service.as(alice), await service.as(bob)]
  const [sent] = await asAlice.sendDirectMessage({ body: { fromaddr: alice, toaddr: bob, message: 'gm' } })
  const pair = { fromaddr: alice, toaddr: bob }
  const toggle = (read: boolean) => asBob.markDirectMessage({ ...pair, body: { ...sent!, read } })
  for (let n = 0; n < 2; n++) await toggle(n % 2 === 0)
  await expect(toggle(true)).rejects.toMatchObject({
    status: 429,
    code: 'rate_limited',
    message: expect.stringMatching(
      /^Your wallet may make 2 changes a day \(marks, deletions, contacts, settings and the like\), and has made them\. It may do so again after 00:00 UTC, in \d+ (h|min)\.$/,
    ),
  })
  expect(await eventsOf(alice)).toBe(2)
  expect(await asBob.listConversation(pair)).toHaveLength(1)
  await asBob.sendDirectMessage({ body: { fromaddr: bob, toaddr: alice, message: 'gm' } })
  await asAlice.markReadTo({ addr: bob, body: { id: Number.MAX_SAFE_INTEGER, context_type: 'dm' } })
  // What ends access is never refused for that.
  await asBob.eraseAccount({ address: bob })
})

test('each endpoint that changes something is refused then, before it does', async () => {
  const changing = writing.filter(([, endpoint]) => isChange(endpoint) && endpoint.access !== 'public')
  const refused: string[] = []
  for (const [name, { method, path }] of changing) {
    const wallet = newWallet()
    for (const who of ['contacts', 'everyone'] as const)
      await (await service.as(wallet)).setDmPolicy({ body: { who } })
    const url = path.replace(/\{\w+\}/g, wallet)
    const headers = { authorization: `Bearer ${await newToken(service.ctx, wallet)}` }
    const answer = await service.app.inject({ method, url, headers })
    // Others need a body.
    if (answer.statusCode === 429) refused.push(name)
    else expect([name, answer.statusCode]).toEqual([name, 400])
  }
  expect(refused.length).toBeGreaterThan(12)
})

test('a wallet without changes left reads a chat without entering it', async () => {
  const [owner, alice] = await newCommunity(service, newName('town'))
  await owner.post('one')
  const query = {}
  // Joining was the first one.
  expect(await alice.read(query)).toHaveLength(1)
  expect(await alice.unread()).toBe(0)
  const before = await eventsOf(alice.address)
  await owner.post('two')
  expect(await alice.read(query)).toHaveLength(2)
  expect(await alice.unread()).toBe(1)
  expect(await eventsOf(alice.address)).toBe(before)
})
