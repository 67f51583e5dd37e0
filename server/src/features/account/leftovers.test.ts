// This searches any table and any column for what is left of wallets that were erased, however it is spelled: only what stays by
// right.

import { createHash } from 'node:crypto'
import { getAddress } from 'viem'
import { expect, test } from 'vitest'
import { newCommunity } from '../../../../testing/people/chat-members.ts'
import { addOperator } from '../../../../testing/people/moderators.ts'
import { newWallet, type Service, startService, useService } from '../../../../testing/service/service.ts'
import { startSmtp } from '../../../../testing/outside/smtp.ts'
import { startTelegram } from '../../../../testing/outside/telegram-api.ts'
import { settingsOfAll, useEverything } from '../../../../testing/service/whole-service.ts'
import { tablesOf } from '../../feature.ts'
import { features } from '../index.ts'

const service = useService({ rateLimits: true, refreshEvery: 50 })
const other = useService({ rateLimits: true, refreshEvery: 50, beside: service })

/** The tables in which something of a wallet stays by right. */
const stays = new Set(
  tablesOf(features).flatMap(([name, table]) => (table.stays === undefined ? [] : [`public.${name}`])),
)

/** Returns the tables with a row that has one of some texts. */
async function tablesWith({ ctx: { db } }: Service, texts: string[]): Promise<string[]> {
  const tables = await db.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname !~ '^(pg_|information_schema)' order by 1`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await db.query(
      `select 1 as one from ${name} t cross join unnest($1::text[]) s (text) where strpos(lower(t::text), lower(s.text)) > 0 limit 1`,
      [texts],
    )
    if (rows.length > 0) found.push(name)
  }
  return found
}

/** Returns an address as text, bare, as bytes, as the bytes of its text, and in base64. */
function spellingsOf(address: string): string[] {
  const bare = address.slice(2).toLowerCase()
  const bytes = Buffer.from(bare, 'hex')
  return [
    bare,
    Buffer.from(bare).toString('hex'),
    Buffer.from(getAddress(address)).toString('hex'),
    ...[bytes, Buffer.from(address)].flatMap((of) => [
      of.toString('base64').replace(/=+$/, ''),
      of.toString('base64url'),
    ]),
    createHash('sha256').update(address).digest('hex'),
  ]
}

test('after all that the contract allows, nothing of an erased address is left but what stays by right', async () => {
  await using smtp = await startSmtp()
  await using telegram = await startTelegram()
  await using whole = await startService(settingsOfAll({ smtp, telegram }))
  let wallets: string[] = []
  let before: string[] = []
  await useEverything(whole, { smtp, telegram }, async (all) => {
    wallets = all
    before = await tablesWith(whole, wallets.flatMap(spellingsOf))
  })
  expect(before.length).toBeGreaterThan(20)
  const left = await tablesWith(whole, wallets.flatMap(spellingsOf))
  expect(left.filter((table) => !stays.has(table))).toEqual([])
})

test('what a wallet wrote as a moderator, creator, owner of programs and reporter goes with it', async () => {
  const marker = `marker-${newWallet().slice(2, 14)}`
  const members = await newCommunity(service, `town-${marker.slice(-8)}`, 2)
  const [owner, member] = members
  const { address, client } = owner
  const nftaddr = `town-${marker.slice(-8)}`
  const peer = newWallet()
  const asPeer = await service.as(peer)
  await client.createCommunity({ body: { community: nftaddr, social: [{ type: 'web', name: marker }] } })
  await client.restrictMember({
    nftaddr,
    walletaddr: member.address,
    body: { muted_until: 'forever', reason: marker },
  })
  await client.addModerator({ nftaddr, walletaddr: member.address })
  await client.createApiKey({ body: { label: marker, scopes: ['inbox:read'] } })
  await client.createIncomingHook({ body: { label: marker, nftaddr } })
  await client.createWebhook({ body: { url: `https://example.org/${marker}`, events: ['request.new'] } })
  await client.createDraft({ body: { toaddr: peer, message: marker } })
  await client.setContact({ peer, body: { alias: marker } })
  const sent = await asPeer.sendDirectMessage({ body: { fromaddr: peer, toaddr: address, message: 'gm' } })
  await client.createReport({ body: { reason: 'spam', item_ids: [sent[0]!.id] } })
  const operator = newWallet()
  await addOperator(service, operator)
  expect((await tablesWith(service, [marker])).length).toBeGreaterThan(6)

  await client.eraseAccount({ address })
  expect(await tablesWith(service, [marker])).toEqual([])
  const left = await tablesWith(service, spellingsOf(address))
  expect(left.filter((table) => !stays.has(table))).toEqual([])
  // The mute goes on, and operators read what was reported, not by whom.
  const asMember = await service.as(member.address)
  expect(await asMember.listChatLog({ nftaddr, query: {} })).toMatchObject([
    { actor: '' },
    { actor: '', subject: member.address },
  ])
  const [{ id } = {}] = await (await service.as(operator)).listReports({ query: {} })
  const [report] = await (await service.as(operator)).getReport({ id: id! })
  expect(report).toMatchObject({ evidence: [{ fromaddr: peer, toaddr: '', message: 'gm' }] })
  expect(JSON.stringify(report)).not.toContain(address)
})

test('what two instances count of a wallet leaves no address behind when it is erased', async () => {
  const [alice, bob] = [newWallet(), newWallet()]
  for (const one of [service, other]) {
    const client = await one.as(alice)
    await client.sendDirectMessage({ body: { fromaddr: alice, toaddr: bob, message: 'gm' } })
    await client.setContact({ peer: bob, body: { alias: 'Bob' } })
  }
  await (await service.as(alice)).eraseAccount({ address: alice })
  // Each instance adds its counts to what it has erased.
  const used = () =>
    service.ctx.db.query(
      `select strangers::integer, changes::integer from wallet_usage where walletaddr like 'erased %'`,
    )
  await expect.poll(used).toContainEqual({ strangers: 1, changes: 2 })
  const left = async () => {
    const tables = await tablesWith(service, spellingsOf(alice))
    return tables.filter((table) => !stays.has(table))
  }
  await expect.poll(left).toEqual([])
})
