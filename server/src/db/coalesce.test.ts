import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Db } from './pool.ts'
import { newWallet, useService } from '../../../testing/service/service.ts'
import { layouts } from '../cluster/layout.ts'
import { coalesced } from './coalesce.ts'
import { onOneMachine } from '../../../testing/service/engines.ts'

const service = useService()

/** This is the same database, which counts its statements. */
const counting = (db: Db) => {
  const counted = { ...db, statements: 0 }
  counted.query = (sql, values, as) => {
    counted.statements++
    return db.query(sql, values, as)
  }
  return counted
}

onOneMachine(
  'reads that arrive together go in few statements, and each gets its own answer or none',
  async () => {
    const half = coalesced<{ half: number; said: string }>(
      'select $1::int / 2 as half, $2::text as said where $1::int % 2 = 0',
      ['int', 'text'],
      { atOnce: 32 },
    )
    const call = fc.tuple(fc.integer({ min: -1000, max: 1000 }), fc.string({ unit: 'grapheme' }))
    await fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 100 }), async (calls) => {
        const db = counting(service.ctx.db)
        const answers = await Promise.all(calls.map((values) => half(db, values)))
        expect(answers).toEqual(
          calls.map(([number, said]) => (number % 2 === 0 ? [{ half: number / 2, said }] : [])),
        )
        expect(db.statements).toBe(Math.ceil(calls.length / 32))
      }),
      { numRuns: 50 },
    )
  },
)

test('a read that fails does so alone', async () => {
  const share = coalesced<{ share: number }>('select 12 / $1::int as share', ['int'], { atOnce: 32 })
  const settled = await Promise.allSettled([3, 0, 4].map((among) => share(service.ctx.db, [among])))
  expect(settled).toEqual([
    { status: 'fulfilled', value: [{ share: 4 }] },
    { status: 'rejected', reason: expect.objectContaining({ code: '22012' }) },
    { status: 'fulfilled', value: [{ share: 3 }] },
  ])
})

test('within a transaction a read goes alone and sees what the transaction did', async () => {
  const keys = coalesced<{ count: number }>(
    'select count(*) as count from keys where address = $1',
    ['text'],
    {
      atOnce: 32,
    },
  )
  const wallet = newWallet()
  await service.ctx.db.transaction(async (tx) => {
    await tx.query(
      `insert into keys (wbucket, address, public_key, signature, backup, updated_ms) values (0, $1, '', '', '', 0)`,
      [wallet],
    )
    expect(await keys(tx, [wallet])).toEqual([{ count: 1 }])
    expect(await keys(service.ctx.db, [wallet])).toEqual([{ count: 0 }])
  })
})

test('reads at the same moment are answered as if each were alone', async () => {
  const token = { nftaddr: newWallet(), nftid: '7' }
  const wallets = Array.from({ length: 6 }, newWallet)
  const clients = await Promise.all(wallets.map((wallet) => service.as(wallet)))
  for (const [i, fromaddr] of wallets.entries()) {
    const toaddr = wallets[(i + 1) % wallets.length]!
    await clients[i]!.joinChat({ body: { walletaddr: fromaddr, nftaddr: token.nftaddr } })
    for (let n = 0; n <= i; n++) {
      await clients[i]!.sendDirectMessage({
        body: { fromaddr, toaddr, message: `${i} ${n}`, ...(n % 2 && token) },
      })
      await clients[i]!.postGroupMessage({ body: { fromaddr, nftaddr: token.nftaddr, message: `${n}` } })
    }
  }
  const reads = wallets.flatMap((address, i) => {
    const fromaddr = wallets[(i + 5) % wallets.length]!
    const client = clients[i]!
    const pair = { fromaddr, toaddr: address }
    const page = { query: { limit: 2 } }
    return [
      () => client.getInbox({ address }),
      () => client.countUnread({ address }),
      () => client.countUnreadByType({ address, type: 'all' }),
      () => client.countUnreadByType({ address, type: 'dm' }),
      () => client.countUnreadByType({ address, type: 'nft' }),
      () => client.countUnreadByType({ address, type: 'community' }),
      () => client.countUnreadOfNft({ address, ...token }),
      () => client.countUnreadOfConversation(pair),
      () => client.countUnreadOfChat({ address: token.nftaddr, useraddress: address }),
      () => client.listConversation({ ...pair, ...page }),
      () => client.listConversation({ ...pair, query: { limit: 2, before: Number.MAX_SAFE_INTEGER } }),
      () => client.listConversationSince({ ...pair, time: '0' }),
      () => client.listDirectMessages({ address, ...page }),
      () => client.listReadMessages({ ...pair, ...page }),
      () => client.listNftMessages({ address, ...page }),
      () => client.listNftMessagesOfWallet({ address, ...token, ...page }),
      () => client.listNftConversation({ ...pair, ...token, ...page }),
    ]
  })
  const alone: unknown[] = []
  for (const read of reads) alone.push(await read())
  expect(await Promise.all(reads.map((read) => read()))).toEqual(alone)
  // The results differ from each other, so that a mix-up would show.
  expect(new Set(alone.map((answer) => JSON.stringify(answer))).size).toBeGreaterThan(40)
})

test('on a cluster each read goes alone', async () => {
  const half = coalesced<{ half: number }>('select $1::int / 2 as half', ['int'], { atOnce: 32 })
  const counted = counting({ ...service.ctx.db, layout: layouts.cluster })
  expect(await Promise.all([2, 4, 6].map((number) => half(counted, [number])))).toEqual([
    [{ half: 1 }],
    [{ half: 2 }],
    [{ half: 3 }],
  ])
  expect(counted.statements).toBe(3)
})
