import { expect, test } from 'vitest'
import { newWallet, useService } from '../../../../testing/service/service.ts'
import { texts, twoWallets } from '../../../../testing/people/two-wallets.ts'

const service = useService()
const other = useService({ beside: service })

test('times increase strictly within a conversation under concurrency, on two instances', async () => {
  const t = await twoWallets(service)
  const bobElsewhere = await other.as(t.bob)
  await Promise.all(
    Array.from({ length: 300 }, (_, i) =>
      i % 2
        ? t.send(`a${i}`)
        : bobElsewhere.sendDirectMessage({ body: { fromaddr: t.bob, toaddr: t.alice, message: `b${i}` } }),
    ),
  )
  const items = await t.asAlice.listConversation(t.pair)
  expect(new Set(items.map(({ id }) => id)).size).toBe(300)
  for (let i = 1; i < items.length; i++) expect(items[i]!.timestamp > items[i - 1]!.timestamp).toBe(true)
})

test('a poller on another instance misses nothing and sees nothing twice', async () => {
  const t = await twoWallets(service)
  const bobElsewhere = await other.as(t.bob)
  let sending = true
  const sends = Promise.all(
    Array.from({ length: 20 }, async (_, worker) => {
      for (let i = 0; i < 10; i++) await t.send(`${worker}-${i}`)
    }),
  ).finally(() => (sending = false))
  const seen: string[] = []
  for (let time = '0', last = false; ; last = !sending) {
    const news = await bobElsewhere.listConversationSince({ ...t.pair, time })
    seen.push(...texts(news))
    if (news.length > 0) time = news.at(-1)!.timestamp
    else if (last) break
  }
  await sends
  expect(seen).toEqual(texts(await t.asBob.listConversation(t.pair)))
  expect(seen).toHaveLength(200)
})

test('a conversation that runs ahead of the clock is refused for a moment, others are not', async () => {
  const t = await twoWallets(service)
  const carol = newWallet()
  await t.send('gm')
  await t.service.ctx.db.query('update conversations set last_ms = $1', [Date.now() + 2500])
  const [refused, elsewhere] = await Promise.allSettled([
    t.send('too fast'),
    t.asAlice.sendDirectMessage({ body: { fromaddr: t.alice, toaddr: carol, message: 'gm' } }),
  ])
  expect(refused).toMatchObject({ status: 'rejected', reason: { code: 'rate_limited', retryAfter: 1 } })
  expect(elsewhere.status).toBe('fulfilled')
  expect(texts(await t.asBob.listConversation(t.pair))).toEqual(['gm'])
  expect(await t.asBob.countUnread({ address: t.bob })).toBe(1)
  await expect
    .poll(
      () =>
        t.send('now').then(
          () => true,
          () => false,
        ),
      { timeout: 5000 },
    )
    .toBe(true)
})

test('a flooded conversation answers 429, and stores the other messages in order', async () => {
  const t = await twoWallets(service)
  const first = await t.send('first')
  await t.service.ctx.db.query('update conversations set last_ms = $1', [Date.now() + 4000])
  const stored = [first]
  const refusals: unknown[] = []
  await expect
    .poll(
      async () => {
        const attempts = await Promise.allSettled(
          Array.from({ length: 50 }, (_, i) => t.send(`message ${i}`)),
        )
        for (const attempt of attempts)
          if (attempt.status === 'fulfilled') stored.push(attempt.value)
          else refusals.push(attempt.reason)
        return stored.length
      },
      { timeout: 15_000, interval: 100 },
    )
    .toBeGreaterThan(100)
  expect(refusals.length).toBeGreaterThan(0)
  for (const refusal of refusals)
    expect(refusal).toMatchObject({ code: 'rate_limited', status: 429, retryAfter: 1 })
  const listed = await t.asBob.listConversation(t.pair)
  expect(listed).toEqual(stored.toSorted((a, b) => a.id - b.id))
  const times = listed.map(({ timestamp }) => timestamp)
  expect(times).toEqual([...new Set(times)].toSorted())
  expect(await t.asBob.countUnread({ address: t.bob })).toBe(stored.length)
})

test('the longest allowed message is stored exactly', async () => {
  const t = await twoWallets(service)
  const longest = '𝄞'.repeat(16_384)
  const sent = await t.send(longest, {
    encrypted_sym_x_key: 'k'.repeat(32_768),
    x_access_conditions: 'c'.repeat(32_768),
  })
  expect(sent.message).toBe(longest)
  expect(await t.asBob.listConversation(t.pair)).toEqual([sent])
})
