// What is left of wallets that were erased, in any table and any column, however it is spelled: nothing but what stays by right.

import { createHash } from 'node:crypto'
import { getAddress } from 'viem'
import { expect, test } from 'vitest'
import { newCommunity } from '../../../../testing/chat-members.ts'
import { addOperator } from '../../../../testing/moderating.ts'
import { newWallet, type Service, startService } from '../../../../testing/service.ts'
import { startSmtp } from '../../../../testing/smtp.ts'
import { startTelegram } from '../../../../testing/telegram-api.ts'
import { settingsOfAll, useEverything } from '../../../../testing/whole-service.ts'

/** What stays of the address of a wallet, and why. */
const stays: Record<string, string> = {
  'public.chat_restrictions': 'a mute or ban in a chat that still counts: erasing would end it',
  'public.contacts': 'what others think of it',
  'public.conversations': 'the side of a peer that was not erased',
  'public.direct_messages': 'what a peer has received, or has sent to it',
  'public.events': 'what happened to others; a day',
  'public.group_chats': 'who posted the newest message, as group_messages',
  'public.group_messages': 'what it posted in chats, under the bare address',
  'public.group_visits': 'how many posts it has there',
  'public.held_messages': 'a legal hold',
  'public.idempotency_keys': 'what others sent to it; a day',
  'public.moderation_log': 'what operators did: rows of a chain',
  'public.operators': 'whoever runs the service removes it',
  'public.push_marks': 'what others were told; two days',
  'public.rate_limits': 'recent requests; minutes',
  'public.reports': 'what others have reported of it',
  'public.sanctions': 'what an operator has forbidden: erasing would end it',
  'public.sign_outs': 'keeps its earlier tokens out; a day',
  'public.webhook_deliveries': 'what others were told; a month',
}

/** The tables with a row that has one of some texts. */
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

/** An address as text, bare, as bytes, as the bytes of its text, and in base64. */
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
  await using service = await startService(settingsOfAll({ smtp, telegram }))
  let wallets: string[] = []
  let before: string[] = []
  await useEverything(service, { smtp, telegram }, async (all) => {
    wallets = all
    before = await tablesWith(service, wallets.flatMap(spellingsOf))
  })
  expect(before.length).toBeGreaterThan(20)
  const left = await tablesWith(service, wallets.flatMap(spellingsOf))
  expect(left.filter((table) => !(table in stays))).toEqual([])
})

test('what a wallet wrote as a moderator, creator, owner of programs and reporter goes with it', async () => {
  await using service = await startService({ rateLimits: true })
  const marker = `marker-${newWallet().slice(2, 14)}`
  const members = await newCommunity(service, `town-${marker.slice(-8)}`, 2)
  const [owner, member] = members
  const { address, client } = owner
  const nftaddr = `town-${marker.slice(-8)}`
  const other = newWallet()
  const asOther = await service.as(other)
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
  await client.createDraft({ body: { toaddr: other, message: marker } })
  await client.setContact({ peer: other, body: { alias: marker } })
  const sent = await asOther.sendDirectMessage({ body: { fromaddr: other, toaddr: address, message: 'gm' } })
  await client.createReport({ body: { reason: 'spam', item_ids: [sent[0]!.id] } })
  const operator = newWallet()
  await addOperator(service, operator)
  expect((await tablesWith(service, [marker])).length).toBeGreaterThan(6)

  await client.eraseAccount({ address })
  expect(await tablesWith(service, [marker])).toEqual([])
  const left = await tablesWith(service, spellingsOf(address))
  expect(left.filter((table) => !(table in stays))).toEqual([])
  // The mute goes on, and operators read what was reported, not by whom.
  const asMember = await service.as(member.address)
  expect(await asMember.listChatLog({ nftaddr, query: {} })).toMatchObject([
    { actor: '' },
    { actor: '', subject: member.address },
  ])
  const [{ id } = {}] = await (await service.as(operator)).listReports({ query: {} })
  const [report] = await (await service.as(operator)).getReport({ id: id! })
  expect(report).toMatchObject({ evidence: [{ fromaddr: other, toaddr: '', message: 'gm' }] })
  expect(JSON.stringify(report)).not.toContain(address)
})
