import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import { beforeEach, expect, test } from 'vitest'
import { onOneMachine } from '../../../testing/service/engines.ts'
import {
  newToken,
  newWallet,
  type Service,
  startService,
  useService,
} from '../../../testing/service/service.ts'
import { issueToken } from '../auth/tokens.ts'
import { chatBucket } from '../values/bucket.ts'
import { deleteExpiredKeys } from './idempotency.ts'

const service = useService()
const other = useService({ beside: service })

/** This is another wallet in each test. */
let alice: string
beforeEach(() => void (alice = newWallet()))
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const send = (on: Service, message: string, idempotencyKey: string, from = alice) =>
  on
    .as(from)
    .then((client) =>
      client.sendDirectMessage({ body: { fromaddr: from, toaddr: 'bob', message } }, { idempotencyKey }),
    )
const stored = async (on: Service) => (await on.as(alice)).listDirectMessages({ address: alice })

test('a repetition answers the first result and stores nothing, also on another instance', async () => {
  const first = await send(service, 'hi', 'k1')
  expect(await send(other, 'hi', 'k1')).toEqual(first)
  expect(await stored(service)).toHaveLength(1)
  expect(await send(service, 'hi', 'k2')).not.toEqual(first)
})

test('a repetition is marked as one', async () => {
  const { authorization } = {
    authorization: `Bearer ${await issueToken(service.ctx, alice)}`,
  }
  const call = () =>
    service.app.inject({
      method: 'POST',
      url: '/v1/create_chatitem',
      headers: { authorization, 'idempotency-key': 'k' },
      payload: { fromaddr: alice, toaddr: 'bob', message: 'hi' },
    })
  const [first, second] = [await call(), await call()]
  expect(first.headers['idempotency-replayed']).toBeUndefined()
  expect(second.headers['idempotency-replayed']).toBe('true')
  expect(second.body).toBe(first.body)
})

test('of many at once exactly one takes effect', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) => send(i % 2 ? service : other, 'hi', 'k')),
  )
  expect(new Set(answers.map((items) => items[0]!.id)).size).toBe(1)
  expect(await stored(service)).toHaveLength(1)
})

// Up to eight messages are stored one by one, more of them together: both must know the keys.
test.each([3, 60])(
  'of %i messages at once each key stores one, and those without a key all are',
  async (count) => {
    const clients = [await service.as(alice), await other.as(alice)]
    const chat = newWallet()
    const numbers = Array.from({ length: count }, (_, n) => n)
    const twice = numbers.flatMap((n) => [n, n])
    const keyed = (n: number) => ({ idempotencyKey: `k${n}` })
    const answers = await Promise.all(
      twice.map((n, i) =>
        clients[i % 2]!.sendDirectMessage(
          { body: { fromaddr: alice, toaddr: `w${n % 7}`, message: `m${n}` } },
          keyed(n),
        ),
      ),
    )
    const posts = await Promise.all(
      twice.map((n, i) =>
        clients[(i + n) % 2]!.postGroupMessage(
          { body: { fromaddr: alice, nftaddr: chat, message: `p${n}` } },
          keyed(n),
        ),
      ),
    )
    await Promise.all(
      numbers.map((n) =>
        service
          .as(alice)
          .then((client) =>
            client.sendDirectMessage({ body: { fromaddr: alice, toaddr: `w${n % 7}`, message: 'no key' } }),
          ),
      ),
    )
    for (const n of numbers) {
      expect(answers[2 * n]).toEqual(answers[2 * n + 1])
      expect(posts[2 * n]).toEqual(posts[2 * n + 1])
    }
    const messages = (await stored(service)).map(({ message }) => message)
    expect(messages.toSorted()).toEqual(
      [...numbers.map((n) => `m${n}`), ...numbers.map(() => 'no key')].toSorted(),
    )
    const history = await clients[0]!.listGroupMessages({ address: chat, useraddress: alice })
    expect(history.map(({ message }) => message).toSorted()).toEqual(numbers.map((n) => `p${n}`).toSorted())
    expect(history.map(({ id }) => id)).toEqual(history.map(({ id }) => id).toSorted((a, b) => a - b))
    // A key that was used for another message is refused, beside others that are stored.
    const mixed = await Promise.allSettled(
      numbers.map((n) =>
        clients[0]!.sendDirectMessage(
          { body: { fromaddr: alice, toaddr: `w${n % 7}`, message: n % 2 ? `m${n}` : 'another' } },
          keyed(n),
        ),
      ),
    )
    for (const n of numbers)
      expect(mixed[n]).toMatchObject(
        n % 2 ? { status: 'fulfilled', value: answers[2 * n] } : { reason: { code: 'idempotency_mismatch' } },
      )
  },
)

// Only a statement on all nodes of a cluster could find out.
onOneMachine(
  'a key of a post is refused for another chat, also for one of the same bucket that nobody has written to',
  async () => {
    const client = await service.as(alice)
    const [chat, another] = [newWallet(), newWallet()]
    let beside = newWallet()
    while (chatBucket(beside) !== chatBucket(chat)) beside = newWallet()
    const post = (nftaddr: string, message = 'gm') =>
      client.postGroupMessage({ body: { fromaddr: alice, nftaddr, message } }, { idempotencyKey: 'k' })
    const first = await post(chat)
    expect(await post(chat)).toEqual(first)
    await expect(post(chat, 'gn')).rejects.toMatchObject({ code: 'idempotency_mismatch' })
    await expect(post(beside)).rejects.toMatchObject({ code: 'idempotency_mismatch' })
    expect(await client.listGroupMessages({ address: beside, useraddress: alice })).toEqual([])
    await expect(post(another)).rejects.toMatchObject({ code: 'idempotency_mismatch' })
  },
)

onOneMachine('the same key with another body is refused; of another wallet it is another key', async () => {
  await send(service, 'hi', 'k')
  await expect(send(service, 'bye', 'k')).rejects.toMatchObject({ code: 'idempotency_mismatch', status: 422 })
  const client = await service.as(alice)
  for (const toaddr of Array.from({ length: 20 }, newWallet)) {
    const body = { fromaddr: alice, toaddr, message: 'hi' }
    await expect(client.sendDirectMessage({ body }, { idempotencyKey: 'k' })).rejects.toMatchObject({
      code: 'idempotency_mismatch',
    })
  }
  const crowd = Array.from({ length: 40 }, (_, n) =>
    client.sendDirectMessage(
      { body: { fromaddr: alice, toaddr: newWallet(), message: 'hi' } },
      { idempotencyKey: n % 2 ? 'k' : `k${n}` },
    ),
  )
  for (const [n, answer] of (await Promise.allSettled(crowd)).entries())
    expect(answer).toMatchObject(
      n % 2 ? { reason: { code: 'idempotency_mismatch' } } : { status: 'fulfilled' },
    )
  const carol = newWallet()
  expect(await send(service, 'bye', 'k', carol)).toMatchObject([{ fromaddr: carol, message: 'bye' }])
  expect(await stored(service)).toHaveLength(21)
})

test('what is kept for a repetition is short, and the answer the same to the byte', async () => {
  await using own = await startService()
  const client = await own.as(alice)
  const post = async (url: string, payload: object) => {
    const authorization = `Bearer ${await newToken(own.ctx, alice)}`
    const headers = { authorization, 'idempotency-key': 'k' }
    return (await own.app.inject({ method: 'POST', url, headers, payload })).body
  }
  const noise = sharp(randomBytes(800 ** 2 * 3), { raw: { width: 800, height: 800, channels: 3 } })
  const base64data = (await noise.png().toBuffer()).toString('base64')
  const odd = '"\\/\t\n\r\u007f\u2028é😀 <&>'
  const message = odd.repeat(65536 / Buffer.byteLength(odd))
  const social = Array.from({ length: 32 }, (_, n) => ({
    type: 't'.repeat(64),
    name: `${n}"`.padEnd(256, '"'),
  }))
  const community = 'c'.repeat(128)
  const nftid = `${2n ** 256n - 1n}`
  const requests: [string, object][] = [
    ['/v1/image', { addr: alice, base64data }],
    ['/v1/imagepfp', { addr: alice, base64data: `data:image/png;base64,${base64data}` }],
    ['/v1/create_comments', { fromaddr: alice, nftaddr: 'x'.repeat(128), nftid, message }],
    ['/v1/create_community', { community, social }],
    ['/v1/create_bookmark', { walletaddr: alice, nftaddr: community, chain: '"'.repeat(128) }],
    ['/v1/create_chatitem', { fromaddr: alice, toaddr: 'bob', message }],
    ['/v1/create_groupchatitem', { fromaddr: alice, nftaddr: community, message }],
    ['/v1/update_settings', { walletaddr: alice, signupsite: '"'.repeat(1024), notifydm: 'true' }],
  ]
  const first: string[] = []
  for (const request of requests) first.push(await post(...request))
  for (const body of first) expect(JSON.parse(body)).toMatchObject([{}])
  await client.setName({ body: { address: alice, name: 'Alice' } })
  await client.createImage({ body: { addr: alice, base64data: pixel } })
  for (const [n, request] of requests.entries()) expect((await post(...request)) === first[n]).toBe(true)
  const lengths = 'select count(*)::int as rows, max(octet_length(answer)) as longest from idempotency_keys'
  const [kept] = await own.ctx.db.query<{ rows: number; longest: number }>(lengths)
  expect(kept!.rows).toBe(requests.length)
  expect(kept!.longest).toBeLessThanOrEqual(4096)
})

test('a request that failed leaves no key behind', async () => {
  await send(service, 'hi', 'first')
  const moveTime = (by: number) =>
    service.ctx.db.query('update conversations set last_ms = $1', [Date.now() + by])
  await moveTime(3000)
  await expect(send(service, 'hi', 'k')).rejects.toMatchObject({ code: 'rate_limited' })
  await moveTime(0)
  const [sent] = await send(service, 'hi', 'k')
  expect(await send(service, 'hi', 'k')).toEqual([sent])
})

test('after its day a key is new again, and is forgotten', async () => {
  await using own = await startService()
  const first = await send(own, 'hi', 'k')
  await own.ctx.db.query('update idempotency_keys set expires_ms = $1', [Date.now() - 1000])
  expect(await send(own, 'bye', 'k')).not.toEqual(first)
  await own.ctx.db.query('update idempotency_keys set expires_ms = $1', [Date.now() - 1000])
  await deleteExpiredKeys(own.ctx.db)
  expect(await own.ctx.db.query('select 1 as one from idempotency_keys')).toEqual([])
})

test('a key that is no key is refused', async () => {
  for (const key of ['with space', 'x'.repeat(256), 'é'])
    await expect(send(service, 'hi', key)).rejects.toMatchObject({ code: 'bad_request' })
})

test('who the caller must be is checked before the key of a request', async () => {
  const bob = newWallet()
  const headers = { 'idempotency-key': 'x'.repeat(300) }
  const answerTo = async (fromaddr: string) =>
    (
      await service.app.inject({
        method: 'POST',
        url: '/v1/create_chatitem',
        headers: {
          authorization: `Bearer ${await issueToken(service.ctx, alice)}`,
          'content-type': 'application/json',
          ...headers,
        },
        payload: JSON.stringify({ fromaddr, toaddr: bob, message: 'gm' }),
      })
    ).statusCode
  expect(await answerTo(bob)).toBe(403)
  expect(await answerTo(alice)).toBe(400)
})
