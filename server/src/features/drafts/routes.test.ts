import type { ApiError, NewDraft } from '@parley/sdk'
import { expect, test } from 'vitest'
import { newApiKeyOf } from '../../../../testing/people/secrets.ts'
import { clientOf, newWallet, useService } from '../../../../testing/service/service.ts'
import { deleteOldDrafts } from './store.ts'

const service = useService()

async function newcomer() {
  const address = newWallet()
  const client = await service.as(address)
  return {
    address,
    client,
    draft: async (body: NewDraft) => (await client.createDraft({ body }))[0]!,
    program: async (...scopes: string[]) =>
      clientOf(service.app, { token: await newApiKeyOf(service, address, scopes) }),
  }
}
const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'answered',
    (error: ApiError) => error.code,
  )

test('a program suggests, the wallet sees by which key, and either discards; nobody else sees or deletes it', async () => {
  const [alice, eve] = [await newcomer(), await newcomer()]
  const program = await alice.program('draft:write')
  const peer = newWallet()
  const [made] = await program.createDraft({
    body: { toaddr: peer.toUpperCase().replace('X', 'x'), message: 'gm' },
  })
  expect(made).toEqual({
    id: expect.stringMatching(/^[\w-]{22}$/),
    toaddr: peer,
    message: 'gm',
    label: 'a key of a test',
    created_at: expect.stringMatching(/^20.*Z$/),
  })
  const own = await alice.draft({ nftaddr: 'Gardeners', message: 'rain ☔\n' })
  expect(own).toMatchObject({ nftaddr: 'Gardeners', message: 'rain ☔\n', label: '' })
  expect(own).not.toHaveProperty('toaddr')
  expect(await alice.client.listDrafts()).toEqual([made, own])
  // A program cannot read what the person or another program wrote, and cannot discard it.
  const other = await alice.program('draft:write')
  expect(await program.listDrafts()).toEqual([made])
  expect(await other.listDrafts()).toEqual([])
  expect(await codeOf(program.deleteDraft({ draft: own.id }))).toBe('not_found')
  expect(await codeOf(other.deleteDraft({ draft: made!.id }))).toBe('not_found')
  expect(await alice.client.listDrafts()).toEqual([made, own])
  // Nothing is sent.
  expect(await (await service.as(peer)).getInbox({ address: peer })).toEqual([])

  expect(await eve.client.listDrafts()).toEqual([])
  expect(await codeOf(eve.client.deleteDraft({ draft: own.id }))).toBe('not_found')
  await program.deleteDraft({ draft: made!.id })
  const [another] = await program.createDraft({ body: { toaddr: peer, message: 'gm' } })
  for (const draft of [own.id, another!.id]) await alice.client.deleteDraft({ draft })
  expect(await alice.client.listDrafts()).toEqual([])
  expect(await codeOf(alice.client.deleteDraft({ draft: made!.id }))).toBe('not_found')
})

test('what a program suggests has nothing that a person does not see, and what a person types may have', async () => {
  const alice = await newcomer()
  const program = await alice.program('draft:write')
  const toaddr = newWallet()
  for (const hidden of [
    'ok\u{e0041}\u{e0042}',
    'a\u202eb',
    'a\u200bb',
    'a\u200cb',
    '❤\ufe0f\ufe0f',
    'می\u200c',
    'a\u2800',
  ]) {
    const call = program.createDraft({ body: { toaddr, message: hidden } })
    await expect(call).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringMatching(
        /^message must be .* invisible character U\+[0-9A-F]{4,5} at position \d+$/,
      ),
    })
    expect(await alice.draft({ toaddr, message: hidden })).toMatchObject({ message: hidden })
  }
  for (const message of ['Alice ❤️', 'Fam 👨‍👩‍👧', 'می‌خواهم', 'two\n\tlines'])
    expect(await program.createDraft({ body: { toaddr, message } })).toMatchObject([{ message }])
})

test.each([
  { message: 'gm' },
  { toaddr: 'bob', nftaddr: 'town', message: 'gm' },
  { toaddr: 'bob', message: '' },
  { toaddr: 'bob', message: 'x'.repeat(64 * 1024 + 1) },
  { toaddr: 'two words', message: 'gm' },
  { toaddr: 'bob' } as NewDraft,
])('a draft is not made of %o', async (body) => {
  const alice = await newcomer()
  expect(await codeOf(alice.draft(body))).toBe('bad_request')
  expect(await alice.client.listDrafts()).toEqual([])
})

test('a wallet has 100 drafts at most, also when many are made at once, and a request that is repeated makes one', async () => {
  const alice = await newcomer()
  const body = { toaddr: 'bob', message: 'gm' }
  const made = await Promise.allSettled(Array.from({ length: 105 }, () => alice.draft(body)))
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(100)
  const [refused] = made.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  expect(refused).toMatchObject({ code: 'limit_reached', message: expect.stringContaining('discard one') })
  const [first] = await alice.client.listDrafts()
  await alice.client.deleteDraft({ draft: first!.id })
  const [one] = await alice.client.createDraft({ body }, { idempotencyKey: 'k' })
  const [again] = await alice.client.createDraft({ body }, { idempotencyKey: 'k' })
  expect(again).toEqual(one)
  expect(await alice.client.listDrafts()).toHaveLength(100)
})

test('the drafts of a wallet have 256 KiB together at most, also when many are made and discarded at once', async () => {
  const alice = await newcomer()
  const body = { toaddr: 'bob', message: '☔'.repeat(21_845) }
  const small = await Promise.all([1, 2, 3].map(() => alice.draft({ toaddr: 'bob', message: 'gm' })))
  const made = await Promise.allSettled([
    ...Array.from({ length: 12 }, () => alice.draft(body)),
    ...small.map(({ id }) => alice.client.deleteDraft({ draft: id })),
    ...Array.from({ length: 12 }, () => alice.draft(body)),
  ])
  const [refused] = made.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  expect(refused).toMatchObject({ code: 'limit_reached', message: expect.stringContaining('256 KiB') })
  const listed = await alice.client.listDrafts()
  expect(listed.map(({ message }) => message)).toEqual([1, 2, 3, 4].map(() => body.message))
  expect(await codeOf(alice.draft({ toaddr: 'bob', message: 'gm gm' }))).toBe('limit_reached')
  await alice.client.deleteDraft({ draft: listed[0]!.id })
  await alice.draft(body)
  expect((await alice.client.listDrafts()).map(({ id }) => id)).toEqual([
    ...listed.slice(1).map(({ id }) => id),
    expect.any(String),
  ])
})

test('a draft is gone after 30 days, and makes room at once', async () => {
  const alice = await newcomer()
  await alice.draft({ toaddr: 'bob', message: 'old' })
  const { db } = service.ctx
  await db.query(
    'update drafts set created_ms = created_ms - 30 * 86400000::bigint - 1 where walletaddr = $1',
    [alice.address],
  )
  expect(await alice.client.listDrafts()).toEqual([])
  await alice.draft({ toaddr: 'bob', message: 'new' })
  const rows = () => db.query('select message from drafts where walletaddr = $1', [alice.address])
  expect(await rows()).toEqual([{ message: 'new' }])
  await db.query('update drafts set created_ms = 0 where walletaddr = $1', [alice.address])
  await deleteOldDrafts(db)
  expect(await rows()).toEqual([])
})

test('only a key with draft:write suggests, and it may do nothing else with it', async () => {
  const alice = await newcomer()
  const [reader, program] = [
    await alice.program('inbox:read', 'dm:begin'),
    await alice.program('draft:write'),
  ]
  const body = { toaddr: 'bob', message: 'gm' }
  await expect(reader.createDraft({ body })).rejects.toMatchObject({
    message: expect.stringContaining('draft:write'),
  })
  expect(await codeOf(reader.listDrafts())).toBe('forbidden')
  expect(await codeOf(program.createDraft({ body }))).toBe('answered')
  expect(await codeOf(program.sendDirectMessage({ body: { ...body, fromaddr: alice.address } }))).toBe(
    'forbidden',
  )
  expect(await codeOf(program.getInbox({ address: alice.address }))).toBe('forbidden')
})
