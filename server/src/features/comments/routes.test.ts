import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { issueToken } from '../../auth/tokens.ts'
import { newWallet, useService } from '../../../../testing/service/service.ts'
import { twoWallets } from '../../../../testing/people/two-wallets.ts'

const service = useService()
const other = useService({ beside: service })

/** This is another contract in each test. */
let nftaddr: string
beforeEach(() => void (nftaddr = newWallet()))
const largest = 2n ** 256n - 1n

/** Makes a wallet that comments, and one that reads. */
async function commenter() {
  const wallets = await twoWallets(service)
  const { alice, asAlice } = wallets
  const comment = async (message: string, nftid: number | bigint | string = 721) =>
    (await asAlice.createComment({ body: { fromaddr: alice, nftaddr, nftid, message } }))[0]!
  return {
    ...wallets,
    comment,
    /** Sends a body as it is written, and returns the text. */
    post: (payload: string, headers: Record<string, string> = {}) => post(alice, payload, headers),
  }
}

async function post(wallet: string, payload: string, headers: Record<string, string>) {
  const authorization = `Bearer ${await issueToken(service.ctx, wallet)}`
  return service.app.inject({
    method: 'POST',
    url: '/v1/create_comments',
    headers: { authorization, 'content-type': 'application/json', ...headers },
    payload,
  })
}

const texts = (items: { message: string }[]) => items.map(({ message }) => message)
const counted = () =>
  service.ctx.db.query<{ kept: number; recounted: number }>(
    `select t.comments as kept, (select count(*) from comments c where c.bucket = t.bucket and c.thread_id = t.id) as recounted from comment_threads t
     where nftaddr = $1`,
    [nftaddr],
  )

test('anyone signed in reads the comments on an NFT, oldest first, in the shape of the interface', async () => {
  const t = await commenter()
  const first = await t.comment('What a "hat" \\ \u2028 👋')
  await t.asBob.createComment({ body: { fromaddr: t.bob, nftaddr, nftid: '721', message: 'And the pipe.' } })
  await t.comment('elsewhere', 722)
  expect(first).toEqual({
    id: expect.any(Number),
    fromaddr: t.alice,
    nftaddr,
    nftid: 721,
    name: '',
    message: 'What a "hat" \\ \u2028 👋',
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  })
  const asEve = await t.service.as(newWallet())
  const all = await asEve.listComments({ nftaddr: nftaddr.toUpperCase().replace('0X', '0x'), nftid: 721 })
  expect(all).toMatchObject([first, { fromaddr: t.bob, message: 'And the pipe.' }])
  expect(all[1]!.timestamp > all[0]!.timestamp).toBe(true)
  expect(await asEve.countComments({ nftaddr, nftid: '0721' })).toBe(2)
  expect(await asEve.listComments({ nftaddr, nftid: 1 })).toEqual([])
  expect(await asEve.countComments({ nftaddr, nftid: 1 })).toBe(0)
})

test('anyone reads and counts comments without a token, a hundred at a time, but not those of a wallet that is muted unseen', async () => {
  const { comment } = await commenter()
  const stored = await Promise.all(Array.from({ length: 101 }, (_, n) => comment(`note ${n}`)))
  const unseen = await commenter()
  await service.ctx.db.query(`insert into sanctions (subject, kind, ms) values ($1, 'shadow_mute', $2)`, [
    unseen.alice,
    Date.now(),
  ])
  await service.ctx.standing.refresh()
  await unseen.comment('a whisper')
  const at = { nftaddr, nftid: '721' }
  const ids = stored.map(({ id }) => id).toSorted((a, b) => a - b)
  const first = await service.anonymous.listComments({ ...at, query: { limit: 1000 } })
  expect(first.map(({ id }) => id)).toEqual(ids.slice(0, 100))
  const rest = await service.anonymous.listComments({ ...at, query: { after: ids[99]! } })
  expect(rest.map(({ id }) => id)).toEqual(ids.slice(100))
  expect(await service.anonymous.countComments(at)).toBe(101)
})

test('a token id is exact up to 2^256-1, in JSON and in the SDK', async () => {
  const t = await commenter()
  const answer = await t.post(
    JSON.stringify({ fromaddr: t.alice, nftaddr, nftid: String(largest), message: 'gm' }),
  )
  expect(answer.statusCode).toBe(200)
  expect(answer.body).toContain(`"nftid":${largest},`)
  const [read] = await t.asBob.listComments({ nftaddr, nftid: String(largest) })
  expect(read!.nftid).toBe(largest)
  expect(await t.comment('gm', read!.nftid)).toMatchObject({ nftid: largest })
  expect(await t.asBob.countComments({ nftaddr, nftid: String(largest) })).toBe(2)
  expect(await t.asBob.countComments({ nftaddr, nftid: String(largest - 1n) })).toBe(0)
})

test('every token id comes back as it was sent, however it is written', async () => {
  const t = await commenter()
  const edges = [0n, 1n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 64n, 10n ** 77n, largest]
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.constantFrom(...edges), fc.bigInt({ min: 0n, max: largest })),
      fc.nat({ max: 3 }),
      async (nftid, zeros) => {
        const digits = '0'.repeat(String(nftid).length > 70 ? 0 : zeros) + String(nftid)
        const expected = nftid <= Number.MAX_SAFE_INTEGER ? Number(nftid) : nftid
        const sent = await t.comment('gm', digits)
        expect(sent.nftid).toBe(expected)
        if (typeof expected === 'number') expect((await t.comment('gm', expected)).nftid).toBe(expected)
        expect((await t.asBob.listComments({ nftaddr, nftid: digits })).map((item) => item.nftid)).toContain(
          expected,
        )
      },
    ),
    { numRuns: 60 },
  )
})

test('a number that JSON could not carry exactly, or that is no token id, is refused with what a right one is', async () => {
  const t = await commenter()
  const nftids = [
    '9007199254740992',
    '9007199254740993',
    String(largest),
    '1.5',
    '-1',
    '1e30',
    'null',
    'true',
    '[]',
    '{}',
  ]
  nftids.push(
    '""',
    '"-1"',
    '"+1"',
    '"0x1"',
    '"1.0"',
    '" 1"',
    '"1e3"',
    '"٣"',
    `"${largest + 1n}"`,
    `"${'0'.repeat(78)}1"`,
  )
  for (const nftid of nftids) {
    const answer = await t.post(
      `{"fromaddr":"${t.alice}","nftaddr":"${nftaddr}","message":"gm","nftid":${nftid}}`,
    )
    expect([nftid, answer.statusCode]).toEqual([nftid, 400])
    expect(answer.json().errors).toEqual([
      { pointer: '/body/nftid', detail: expect.stringContaining('0 to 2^256-1') },
    ])
  }
  for (const nftid of ['abc', '-1', '1.5', '0x1', String(largest + 1n)])
    for (const call of [
      () => t.asAlice.listComments({ nftaddr, nftid }),
      () => t.asAlice.countComments({ nftaddr, nftid }),
      () => t.asAlice.deleteComments({ fromaddr: t.alice, nftaddr, nftid }),
    ])
      await expect(call()).rejects.toMatchObject({
        code: 'bad_request',
        message: expect.stringContaining('2^256-1'),
      })
  expect(await counted()).toEqual([])
})

test('what the service sets is ignored in a request; what is missing or too long is refused', async () => {
  const t = await commenter()
  const body = { fromaddr: t.alice, nftaddr, nftid: 1, message: 'gm' }
  const forged = { ...body, id: 5, name: 'root', timestamp: 'never', unknown: {} }
  const [sent] = JSON.parse((await t.post(JSON.stringify(forged))).body)
  expect(sent).toMatchObject({ name: '' })
  expect(Object.keys(sent).toSorted()).toEqual(
    ['fromaddr', 'id', 'message', 'name', 'nftaddr', 'nftid', 'timestamp'].toSorted(),
  )
  expect(sent.timestamp > '2020').toBe(true)
  expect((await t.comment('x'.repeat(65_536))).message).toHaveLength(65_536)
  for (const message of ['', 'x'.repeat(65_537), 'é'.repeat(32_769), 'a\0b', '\ud800', 5, null, undefined])
    expect((await t.post(JSON.stringify({ ...body, message }))).statusCode).toBe(400)
  for (const field of ['fromaddr', 'nftaddr', 'nftid'])
    expect((await t.post(JSON.stringify({ ...body, [field]: undefined }))).statusCode).toBe(400)
})

test('no one comments or deletes as another wallet', async () => {
  const t = await commenter()
  await t.comment('mine')
  const body = { fromaddr: t.alice, nftaddr, nftid: 721, message: 'forged' }
  await expect(t.asBob.createComment({ body })).rejects.toMatchObject({ code: 'forbidden' })
  const token = { fromaddr: t.alice, nftaddr, nftid: 721 }
  await expect(t.asBob.deleteComments(token)).rejects.toMatchObject({ code: 'forbidden' })
  expect(texts(await t.asBob.listComments(token))).toEqual(['mine'])
})

test('a wallet deletes all its comments on one NFT and no others, twice without harm', async () => {
  const t = await commenter()
  const token = { nftaddr, nftid: 721 }
  await t.comment('one')
  const bobs = { fromaddr: t.bob, ...token, message: 'keep me' }
  await t.asBob.createComment({ body: bobs })
  const last = await t.comment('two')
  await t.comment('on another token', 1)
  expect(await t.asAlice.deleteComments({ fromaddr: t.alice, ...token })).toBeUndefined()
  expect(await t.asAlice.deleteComments({ fromaddr: t.alice, ...token })).toBeUndefined()
  expect(await t.asAlice.deleteComments({ fromaddr: t.alice, nftaddr, nftid: 999 })).toBeUndefined()
  expect(texts(await t.asBob.listComments(token))).toEqual(['keep me'])
  expect(await t.asBob.countComments(token)).toBe(1)
  expect(texts(await t.asBob.listComments({ nftaddr, nftid: 1 }))).toEqual(['on another token'])
  expect((await t.comment('again')).timestamp > last.timestamp).toBe(true)
})

test('pages walk the comments in both directions without gap or repetition', async () => {
  const t = await commenter()
  const all: string[] = []
  for (let i = 0; i < 7; i++) all.push((await t.comment(`c${i}`)).message)
  const list = (query: object) => t.asBob.listComments({ nftaddr, nftid: 721, query })
  const forward = []
  for (let after = 0, page; (page = await list({ limit: 3, after })).length > 0; after = page.at(-1)!.id)
    forward.push(...page)
  expect(texts(forward)).toEqual(all)
  const backward = []
  for (let before = 1e15, page; (page = await list({ limit: 3, before })).length > 0; before = page[0]!.id)
    backward.unshift(...page)
  expect(texts(backward)).toEqual(all)
  for (const query of [{ limit: 0 }, { limit: 1001 }, { after: -1 }])
    await expect(list(query)).rejects.toMatchObject({ code: 'bad_request' })
})

test('a long list is streamed whole', async () => {
  const t = await commenter()
  await t.comment('first', largest)
  await t.service.ctx.db.query(
    `with more as (
       insert into comments (bucket, thread_id, id, fromaddr, message, ms)
       select bucket, id, next_id_v1(bucket, id + 64 * n), 'x', 'more', last_ms from comment_threads, generate_series(2, 901) n where nftaddr = $1 returning 1
     )
     update comment_threads set comments = 901 where nftaddr = $1`,
    [nftaddr],
  )
  const listed = await t.asBob.listComments({ nftaddr, nftid: String(largest) })
  expect(listed).toHaveLength(901)
  expect(new Set(listed.map(({ nftid }) => nftid))).toEqual(new Set([largest]))
})

test('a repetition with the same key answers the first result, digit for digit', async () => {
  const t = await commenter()
  const body = JSON.stringify({ fromaddr: t.alice, nftaddr, nftid: String(largest), message: 'once' })
  const [first, second] = [
    await t.post(body, { 'idempotency-key': 'k' }),
    await t.post(body, { 'idempotency-key': 'k' }),
  ]
  expect(first.body).toContain(`"nftid":${largest},`)
  expect([second.body, second.headers['idempotency-replayed']]).toEqual([first.body, 'true'])
  expect(await t.asBob.countComments({ nftaddr, nftid: String(largest) })).toBe(1)
})

test('counts equal recounts under concurrency, on two instances; times and ids increase together', async () => {
  const t = await commenter()
  const elsewhere = await other.as(t.bob)
  await Promise.all(
    Array.from({ length: 120 }, async (_, i) => {
      const nftid = i % 3
      if (i % 10 === 9) return t.asAlice.deleteComments({ fromaddr: t.alice, nftaddr, nftid })
      if (i % 2) return t.comment(`a${i}`, nftid)
      return elsewhere.createComment({ body: { fromaddr: t.bob, nftaddr, nftid, message: `b${i}` } })
    }),
  )
  const threads = await counted()
  expect(threads).toHaveLength(3)
  for (const { kept, recounted } of threads) expect(kept).toBe(recounted)
  for (const nftid of [0, 1, 2]) {
    const items = await t.asAlice.listComments({ nftaddr, nftid })
    expect(await elsewhere.countComments({ nftaddr, nftid })).toBe(items.length)
    for (let i = 1; i < items.length; i++) expect(items[i]!.timestamp > items[i - 1]!.timestamp).toBe(true)
  }
})
