import type { Client } from '@parley/sdk'
import type { Endpoint } from '@parley/sdk/contract/endpoint.ts'
import { contract } from '@parley/sdk/contract/index.ts'
import { expect, test } from 'vitest'
import vectors from '../../../../docs/encryption-vectors.json' with { type: 'json' }
import { listenTo } from '../../../../testing/service/event-listener.ts'
import { type Person, person, report, spammed, write } from '../../../../testing/people/report-people.ts'
import { newWallet, startService } from '../../../../testing/service/service.ts'
import { mostEvidence } from '@parley/sdk/contract/reports.ts'
import { merge } from './evidence.ts'
import { deleteOldReports } from './store.ts'

const { version_2: v2, alice: author, bob: reader } = vectors

test('operators also see what stood in a reported message before its author edited it', async () => {
  await using t = await spammed()
  await t.spammer.client.editMessage({ id: t.id, body: { message: 'have a nice day', revision: 0 } })
  const evidenceOf = async (id: number) => (await t.operator.client.getReport({ id }))[0]!.evidence
  const [made] = await report(t.victim.client, { item_ids: [t.id] })
  const copied = [{ message: 'have a nice day', earlier: ['buy my coin'] }]
  expect(await evidenceOf(made!.id)).toMatchObject(copied)
  // Another report on this day adds what was edited since, and what was sent first stays.
  for (let revision = 1; revision < 6; revision++)
    await t.spammer.client.editMessage({
      id: t.id,
      body: { message: `${revision}`.repeat(65_536), revision },
    })
  await report(t.victim.client, { item_ids: [t.id] })
  const [now] = await evidenceOf(made!.id)
  expect(now!.message).toBe('5'.repeat(65_536))
  expect(now!.earlier!.slice(0, 3)).toEqual(['buy my coin', 'have a nice day', '1'.repeat(65_536)])
  expect(JSON.stringify(now).length).toBeLessThan(mostEvidence)
})

test('a report has what was sent first, however long its author edits it before and since', async () => {
  await using t = await spammed()
  for (let revision = 0; revision < 10; revision++)
    await t.spammer.client.editMessage({
      id: t.id,
      body: { message: `${revision}`.repeat(65_536), revision },
    })
  const [made] = await report(t.victim.client, { item_ids: [t.id] })
  const [one] = (await t.operator.client.getReport({ id: made!.id }))[0]!.evidence
  expect(one).toMatchObject({ proof: 'stored', message: '9'.repeat(65_536) })
  expect(one!.earlier![0]).toBe('buy my coin')
})

test('what a bot has replaced after the first report of a day stays in the report', () => {
  const one = { id: 1, fromaddr: 'a', at: '', proof: 'stored' as const, message: 'buy my coin' }
  const merged = merge([one], [{ ...one, message: 'gm', earlier: ['hello'] }])
  expect(merged).toEqual([{ ...one, message: 'gm', earlier: ['buy my coin', 'hello'] }])
  expect(merge(merged, [{ ...one, message: 'gm', earlier: ['hello'] }])).toEqual(merged)
})

test('operators see a message that was reported as it was, also after it is deleted, and no other one', async () => {
  await using t = await spammed()
  await write(t.victim, t.spammer, 'never told to anybody')
  const [made] = await report(t.victim.client, { item_ids: [t.id], text: 'again and again' })
  expect(made).toMatchObject({
    subject: t.spammer.address,
    status: 'open',
    items: [{ id: t.id, proof: 'stored' }],
  })
  await t.spammer.client.deleteDirectMessage({ id: t.id })
  expect(await t.query()).toMatchObject([
    { id: made!.id, subject: t.spammer.address, reporter: t.victim.address, weight: 1, messages: 1 },
  ])
  const detail = (await t.operator.client.getReport({ id: made!.id }))[0]
  expect(detail).toMatchObject({
    text: 'again and again',
    evidence: [{ id: t.id, message: 'buy my coin', fromaddr: t.spammer.address, proof: 'stored' }],
    others: { reports: 0, reporters: 0 },
  })
  const log = await t.operator.client.listModerationLog({})
  expect(log).toMatchObject([{ action: 'view', operator: t.operator.address, reports: [made!.id] }])
  expect(JSON.stringify(log)).not.toMatch(/coin|again and again/)
  // These are all requests of operators, with everything that they know.
  const { address } = t.spammer
  const { client } = t.operator
  const warn = { action: 'warn' as const, subject: address, reason: 'spam' }
  const file = { sha256: '0'.repeat(64), reason: 'spam' }
  const asked: Record<string, () => Promise<unknown>> = {
    act: () => client.act({ body: warn }),
    addOfficial: () => client.addOfficial({ walletaddr: t.victim.address, body: { label: 'Support' } }),
    blockFile: () => client.blockFile({ body: file }),
    getReport: () => client.getReport({ id: made!.id }),
    getStatus: () => client.getStatus(),
    getSubject: () =>
      Promise.all([address, t.victim.address].map((one) => client.getSubject({ address: one }))),
    listBlockedFiles: () => client.listBlockedFiles({}),
    listModerationLog: () => client.listModerationLog({}),
    listReports: () =>
      Promise.all(
        (['open', 'escalated', 'closed'] as const).map((status) => client.listReports({ query: { status } })),
      ),
    removeOfficial: async () => {
      await client.addOfficial({ walletaddr: t.victim.address, body: { label: 'Support' } })
      return client.removeOfficial({ walletaddr: t.victim.address })
    },
    unblockFile: async () => [await client.blockFile({ body: file }), await client.unblockFile(file)],
  }
  const forOperators = Object.entries<Endpoint>(contract).filter(([, { access }]) => access === 'operator')
  expect(forOperators.map(([name]) => name).toSorted()).toEqual(Object.keys(asked).toSorted())
  const answers = await Promise.all(Object.values(asked).map((ask) => ask()))
  expect(JSON.stringify(answers)).not.toContain('never told')
  await expect(t.operator.client.getReport({ id: 999 })).rejects.toMatchObject({ code: 'not_found' })
})

test('only what the reporter can see is taken: not of others, erased, hidden, or withheld', async () => {
  await using t = await spammed()
  const other = await person(t.service)
  const refused = (who: Person, ids: number[], code = 'not_found') =>
    expect(report(who.client, { item_ids: ids })).rejects.toMatchObject({ code })
  await refused(other, [t.id])
  await refused(t.victim, [t.id, t.id + 64])
  await refused(t.spammer, [t.id], 'bad_request')
  const [own] = await write(t.victim, t.spammer, 'stop')
  await refused(t.victim, [t.id, own!.id], 'bad_request')
  const [second] = await write(t.spammer, t.victim, 'no')
  await t.victim.client.hideMessage({ id: second!.id })
  await refused(t.victim, [second!.id])
  await t.victim.client.setContact({ peer: t.spammer.address, body: { state: 'blocked' } })
  const [withheld] = await write(t.spammer, t.victim, 'are you there')
  await refused(t.victim, [withheld!.id])
  await t.victim.client.eraseAccount({ address: t.victim.address })
  await refused(await person(t.service, t.victim.address), [t.id])
  expect(await t.query()).toEqual([])
  const bad = (body: object) =>
    expect(report(other.client, body)).rejects.toMatchObject({ code: 'bad_request' })
  await bad({})
  await bad({ peer: t.victim.address, chat: 'Town' })
  await bad({ peer: other.address })
  await bad({ reason: 'appeal', peer: t.victim.address })
  await bad({ item_ids: [t.id], keys: { 7: v2.item.message.slice(0, 43) } })
  await bad({ item_ids: [t.id, t.id] })
  await expect(report(other.client, { chat: 'nowhere' })).rejects.toMatchObject({ code: 'not_found' })
})

test('an encrypted message is opened with its own key alone; without it, and in the first version, it stays closed', async () => {
  await using t = await spammed()
  const [from, to] = [await person(t.service, author.address), await person(t.service, reader.address)]
  const { message, encrypted_sym_x_key, x_access_conditions } = v2.item
  const sealed = { encrypted_sym_x_key, x_access_conditions }
  const [item] = await write(from, to, message, sealed)
  const [first] = await write(from, to, message, {
    ...sealed,
    x_access_conditions: '{"scheme":"of-another-client"}',
  })
  const [broken] = await write(from, to, message, { ...sealed, encrypted_sym_x_key: '{"v":2}' })
  const ids = { item_ids: [item!.id, first!.id] }
  const key = Buffer.from(v2.message_key_hex, 'hex').toString('base64url')
  const wrong = Buffer.alloc(32, 7).toString('base64url')
  await expect(report(to.client, { ...ids, keys: { [item!.id]: wrong } })).rejects.toMatchObject({
    code: 'bad_request',
    message: expect.stringContaining('does not open the message'),
  })
  await expect(
    report(to.client, { item_ids: [broken!.id], keys: { [broken!.id]: key } }),
  ).rejects.toMatchObject({ code: 'bad_request' })
  await expect(report(to.client, { ...ids, keys: { [item!.id]: 'short' } })).rejects.toMatchObject({
    code: 'bad_request',
  })
  const [closed] = await report(to.client, ids)
  expect(closed!.items.map(({ proof }) => proof)).toEqual(['sealed', 'unproven'])
  const seen = async () => (await t.operator.client.getReport({ id: closed!.id }))[0]!.evidence
  expect(JSON.stringify(await seen())).not.toContain(message.slice(0, 20))
  // The key comes later, the same day.
  const [opened] = await report(to.client, { ...ids, keys: { [item!.id]: key } })
  expect(opened).toMatchObject({
    id: closed!.id,
    items: [{ proof: 'opened' }, { proof: 'unproven' }],
  })
  expect(await seen()).toMatchObject([{ message: v2.text, proof: 'opened' }, { proof: 'unproven' }])
  expect((await seen())[1]).not.toHaveProperty('message')
})

test('a wallet reports another once a day: more messages are added, 20 in all; reports at once make one', async () => {
  await using t = await spammed()
  const ids = [t.id]
  for (let n = 0; n < 24; n++) ids.push((await write(t.spammer, t.victim, `n${n}`))[0]!.id)
  const made = await Promise.all(
    Array.from({ length: 5 }, (_, n) => report(t.victim.client, { item_ids: ids.slice(n * 5, n * 5 + 5) })),
  )
  expect(new Set(made.flat().map(({ id }) => id)).size).toBe(1)
  const [mine] = await t.victim.client.listOwnReports()
  expect(mine!.items).toHaveLength(20)
  expect(await t.query()).toHaveLength(1)
  const body = { reason: 'scam' as const, peer: newWallet() }
  const twice = [
    await t.victim.client.createReport({ body }, { idempotencyKey: 'one' }),
    await t.victim.client.createReport({ body }, { idempotencyKey: 'one' }),
  ]
  expect(twice[1]).toEqual(twice[0])
  await t.service.ctx.db.query('update reports set day = day - 1')
  expect(await report(t.victim.client, { item_ids: [t.id] })).toMatchObject([{ items: [{ id: t.id }] }])
  expect(await t.query()).toHaveLength(3)
})

test('posts are reported by who may read their chat, and chats too; a report can block', async () => {
  await using t = await spammed()
  await t.spammer.client.createCommunity({ body: { community: 'Town' } })
  const body = { fromaddr: t.spammer.address, nftaddr: 'Town', message: 'all of you buy' }
  const [post] = await t.spammer.client.postGroupMessage({ body })
  await report(t.victim.client, { item_ids: [post!.id, t.id], block: true })
  const [ofChat] = await report(t.victim.client, { chat: 'town', reason: 'illegal', block: true })
  expect(ofChat).toMatchObject({ subject: 'town', items: [] })
  const [first] = await t.query()
  expect((await t.operator.client.getReport({ id: first!.id }))[0]!.evidence).toMatchObject([
    { nftaddr: 'Town', message: 'all of you buy', proof: 'stored' },
    { toaddr: t.victim.address },
  ])
  expect(await t.victim.client.listContacts({ query: { state: 'blocked' } })).toMatchObject([
    { peer: t.spammer.address },
  ])
  const remove = { action: 'remove_post' as const, subject: t.spammer.address, item_id: post!.id }
  await t.operator.client.act({ body: { ...remove, reason: 'spam' } })
  expect((await t.operator.client.getReport({ id: first!.id }))[0]!.evidence[0]).toMatchObject({
    message: 'all of you buy',
  })
  await expect(report((await person(t.service)).client, { item_ids: [post!.id] })).rejects.toMatchObject({
    code: 'not_found',
  })
})

test('a report counts by who sends it: a mob of new wallets stays below one who takes part', async () => {
  await using t = await spammed()
  const { db } = t.service.ctx
  const known = await person(t.service)
  const age = async (wallet: string, days: number) =>
    db.query(
      `insert into wallets_seen (wbucket, address, first_ms) values (bucket_of($1), $1, $2)
       on conflict (wbucket, address) do update set first_ms = excluded.first_ms`,
      [wallet, Date.now() - days * 86_400_000],
    )
  await age(known.address, 8)
  for (let n = 0; n < 3; n++) {
    const friend = await person(t.service)
    await write(known, friend, 'gm')
    await write(friend, known, 'gm')
  }
  for (let n = 0; n < 5; n++) await report((await person(t.service)).client, { peer: t.spammer.address })
  await report(known.client, { peer: t.spammer.address })
  const old = await person(t.service)
  await age(old.address, 100)
  await report(old.client, { peer: t.spammer.address })
  const queue = await t.query()
  expect(queue.map(({ weight }) => weight)).toEqual([5, 3, 1, 1, 1, 1, 1])
  const pages = []
  for (let after: number | undefined; ;) {
    const page = await t.operator.client.listReports({
      query: { limit: 2, ...(after !== undefined && { after }) },
    })
    if (page.length === 0) break
    pages.push(...page)
    after = page.at(-1)!.id
  }
  expect(pages).toEqual(queue)
  const byAge = await t.operator.client.listReports({ query: { sort: 'age' } })
  expect(byAge.map(({ id }) => id)).toEqual(queue.map(({ id }) => id).toSorted((a, b) => a - b))
  expect((await t.operator.client.getReport({ id: queue[0]!.id }))[0]!.others).toEqual({
    reports: 6,
    reporters: 6,
  })
})

test('a wallet reports so often a day, and all of a network address together', async () => {
  const rate = { burst: 1000, perSecond: 1000 }
  const most = { reportsADay: 2, reportsOfAddress: 3 }
  await using t = await spammed({ rateLimits: true, writeLimit: rate, ...most })
  for (let n = 0; n < 2; n++) await report(t.victim.client, { peer: newWallet() })
  await expect(report(t.victim.client, { peer: newWallet() })).rejects.toMatchObject({
    code: 'rate_limited',
    message: expect.stringContaining('Your wallet may report 2 times a day'),
  })
  await report(t.spammer.client, { peer: newWallet() })
  await expect(report(t.spammer.client, { peer: newWallet() })).rejects.toMatchObject({
    message: expect.stringContaining('network address together may report 3 times a day'),
  })
})

test('a banned wallet appeals and does nothing else; it reads what counts for it', async () => {
  await using t = await spammed()
  const { address, client } = t.spammer
  await t.operator.client.act({ body: { action: 'ban', subject: address, reason: 'spam' } })
  await expect.poll(() => t.service.ctx.standing.sanction(address, 'ban'), { timeout: 5000 }).toBeDefined()
  await expect(report(client, { peer: t.victim.address })).rejects.toMatchObject({ code: 'sanctioned' })
  const [appeal] = await report(client, { reason: 'appeal', text: 'it was my brother' })
  expect(appeal).toMatchObject({ subject: address, reason: 'appeal' })
  expect(await client.listSanctions()).toEqual([{ kind: 'ban' }])
  await t.operator.client.act({
    body: { action: 'lift', subject: address, reason: 'believed', report_ids: [appeal!.id] },
  })
  await expect.poll(() => client.listSanctions(), { timeout: 5000 }).toEqual([])
  expect(await client.listOwnReports()).toMatchObject([{ status: 'closed' }])
})

test('who reported is told that it was handled, and not what was done; of two operators one decides', async () => {
  await using t = await spammed()
  await using other = await startService({ beside: t.service })
  await expect.poll(() => other.ctx.standing.isOperator(t.operator.address), { timeout: 5000 }).toBe(true)
  const [made] = await report(t.victim.client, { item_ids: [t.id] })
  await using stream = await listenTo(other, t.victim.address)
  const asOther = await other.as(t.operator.address)
  const decide = (client: Client, action: 'warn' | 'acknowledge') =>
    client.act({ body: { action, subject: t.spammer.address, reason: 'r', report_ids: [made!.id] } })
  const settled = await Promise.allSettled([
    decide(t.operator.client, 'warn'),
    decide(asOther, 'acknowledge'),
    decide(asOther, 'warn'),
  ])
  expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const one of settled)
    if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'conflict' })
  expect(await t.operator.client.listModerationLog({})).toHaveLength(1)
  await stream.receives(1)
  expect(stream.events()).toEqual([{ type: 'notice', action: 'report' }])
  expect(await t.victim.client.listOwnReports()).toMatchObject([{ id: made!.id, status: 'closed' }])
  expect(await t.query()).toEqual([])
  // A repeated report changes nothing; another message opens it.
  expect(await report(t.victim.client, { item_ids: [t.id] })).toMatchObject([{ status: 'closed' }])
  const [more] = await write(t.spammer, t.victim, 'and again')
  expect(await report(t.victim.client, { item_ids: [more!.id] })).toMatchObject([
    { id: made!.id, status: 'open' },
  ])
  const wrong = { action: 'warn' as const, subject: t.victim.address, reason: 'r', report_ids: [made!.id] }
  await expect(t.operator.client.act({ body: wrong })).rejects.toMatchObject({ code: 'bad_request' })
})

test('a message that was reported can be removed, for both of its ends; no other one', async () => {
  await using t = await spammed()
  const [second] = await write(t.spammer, t.victim, 'another one')
  const [made] = await report(t.victim.client, { item_ids: [t.id] })
  const remove = (more: object) =>
    t.operator.client.act({
      body: { action: 'remove_message', subject: t.spammer.address, reason: 'r', ...more },
    })
  const report_ids = [made!.id]
  for (const more of [{ report_ids }, { report_ids, item_id: second!.id }, { item_id: t.id }])
    await expect(remove(more)).rejects.toMatchObject({ code: 'bad_request' })
  await remove({ report_ids, item_id: t.id })
  for (const { address, client } of [t.spammer, t.victim])
    expect(await client.listDirectMessages({ address, query: {} })).toMatchObject([{ id: second!.id }])
  expect(await t.victim.client.countUnreadTotal({ address: t.victim.address })).toBe(1)
  expect(await t.operator.client.listModerationLog({})).toMatchObject([
    { action: 'remove_message', item_id: t.id },
  ])
})

test('an erased wallet is no more than a keyed hash in what it reported; after 90 days that is deleted', async () => {
  await using t = await spammed()
  const { db } = t.service.ctx
  const { address, client } = t.victim
  await report(client, { item_ids: [t.id] })
  await report(client, { reason: 'appeal' })
  await client.eraseAccount({ address })
  const now = db.now()
  const days = async () =>
    db.query<{ days: number }>(`select (expires_ms - $1) / 86400000.0::float8 as days from reports`, [now])
  const rows = await days()
  expect(rows).toHaveLength(1)
  expect(rows[0]!.days).toBeCloseTo(90, 0)
  const [left] = await t.query()
  expect(left).not.toHaveProperty('reporter')
  expect(await t.operator.client.getReport({ id: left!.id })).toMatchObject([
    { evidence: [{ message: 'buy my coin' }] },
  ])
  await deleteOldReports(db)
  expect(await t.query()).toHaveLength(1)
  // Closing it again does not store it for longer.
  const settle = { action: 'acknowledge' as const, subject: t.spammer.address, reason: 'r' }
  await t.operator.client.act({ body: { ...settle, report_ids: [left!.id] } })
  expect(await days()).toEqual(rows)
  await db.query('update reports set expires_ms = $1', [db.now() - 1])
  await deleteOldReports(db)
  expect(await db.query('select * from reports')).toEqual([])
})
