// The copies of conversations by wallet, which a cluster has (cluster/copies.ts): inboxes and counts by them are those of the
// conversations themselves, also when instances end between a change and its copies.

import fc from 'fast-check'
import { expect } from 'vitest'
import { newMigratedDatabase } from '../../testing/service/database.ts'
import { onCluster } from '../../testing/service/engines.ts'
import { sending } from '../../testing/service/log.ts'
import { newWallet, startService } from '../../testing/service/service.ts'
import { eraseConversations } from '../src/features/direct-messages/erase.ts'
import { decideRequests } from '../src/features/consent/deciding.ts'
import { updateContact } from '../src/features/consent/store.ts'
import * as direct from '../src/features/direct-messages/store.ts'
import { countUnread, countUnreadIn } from '../src/features/inbox/counts.ts'
import { findInbox } from '../src/features/inbox/store.ts'
import { hideConversation, hideMessage } from '../src/features/own-side/store.ts'
import { readConversationTo } from '../src/features/read-state/store.ts'
import { deleteMessages } from '../src/features/retention/store.ts'
import { pagesOf } from '../src/db/pages.ts'
import type { Db } from '../src/db/pool.ts'
import { layouts } from '../src/cluster/layout.ts'
import { followCopiesStep } from '../src/cluster/follow-copies.ts'
import { copyShape } from '../src/cluster/copies.ts'
import { fillCopies } from '../src/cluster/copies-upkeep.ts'

/** An instance that is killed after each commit: it applies no copies. */
const killedAfterCommit = (db: Db): Db => {
  const killed: Db = {
    ...db,
    afterCommit: async () => {},
    transaction: (work) => db.transaction((tx) => work({ ...tx, afterCommit: async () => {} })),
  }
  return killed
}

const views = [undefined, 'all', 'main', 'requests'] as const

/** What a wallet sees: by copies, or by the statements of one machine, which read all nodes. */
async function seen(db: Db, wallet: string): Promise<unknown> {
  const inbox = async (query: Parameters<typeof findInbox>[3]) => {
    const pages: string[] = []
    for await (const page of pagesOf(await findInbox(db, wallet, [], query), db)) pages.push(page.toString())
    return JSON.parse(`[${pages.join(',')}]`) as { id: number }[]
  }
  const whole = await Promise.all(views.map((view) => inbox(view ? { view } : {})))
  const last = whole[0]![0]?.id
  return {
    whole,
    pages: [await inbox({ limit: 1 }), last !== undefined && (await inbox({ limit: 2, before: last }))],
    counts: await Promise.all([
      ...['dm', 'all', 'nft', 'community'].map((type) => countUnread(db, wallet, type)),
      ...(['main', 'requests'] as const).map((view) => countUnreadIn(db, wallet, view, [])),
    ]),
  }
}

const byConversations = (db: Db): Db => ({ ...db, layout: layouts.machine })

async function follow(db: Db): Promise<void> {
  await expect.poll(() => followCopiesStep(db), { timeout: 20_000 }).toBe('settled')
}

async function expectCopies(db: Db, wallets: string[]): Promise<void> {
  for (const wallet of wallets)
    expect(await seen(db, wallet)).toEqual(await seen(byConversations(db), wallet))
}

interface Step {
  killed: boolean
  kind: number
  one: number
  other: number
  pick: number
}

async function play(db: Db, wallets: string[], { kind, one, other, pick }: Step): Promise<void> {
  const [wallet, peer] = [wallets[one]!, wallets[other]!]
  const messages = await db.query<direct.MessageRow & { bucket: number; ms: number }>(
    `select bucket, id, conversation_id, fromaddr, toaddr, ms from direct_messages
     where $1 in (fromaddr, toaddr) and $2 in (fromaddr, toaddr) order by id`,
    [wallet, peer],
  )
  const message = messages[pick % Math.max(messages.length, 1)]
  const send = (text: string, times = 1) =>
    db.layout.copies.changing(
      db,
      [wallet, peer],
      db.query(...sending(wallet, Array<string>(times).fill(peer), text)),
    )
  if (kind <= 2) await send('gm')
  else if (kind === 3) await send('long '.repeat(2000))
  else if (kind === 4) await send('twice', 2)
  else if (kind === 5 && wallet !== peer)
    await updateContact(
      db,
      wallet,
      peer,
      { state: (['unknown', 'accepted', 'ignored', 'blocked'] as const)[pick % 4]! },
      100,
    )
  else if (kind === 6) await decideRequests(db, wallet, pick % 2 === 0 ? 'accepted' : 'ignored')
  else if (kind === 7) await hideConversation(db, [], wallet, peer)
  else if (kind === 8) await direct.deleteConversation(db, pick % 2 === 0 ? [] : [wallet], wallet, peer)
  else if (kind === 9 && pick % 4 === 0) await eraseConversations(db, wallet, [])
  else if (!message) return
  else if (kind === 10) await direct.updateRead(db, message, pick % 3 > 0)
  else if (kind === 11) await direct.deleteMessage(db, [], message)
  else if (kind === 12) await hideMessage(db, [], wallet, message.id)
  else if (kind === 13 && wallet !== peer) await readConversationTo(db, wallet, peer, message.id)
  else if (kind === 14) await deleteMessages(db, [], message.bucket, [message])
}

onCluster(
  'copies show what the conversations are, after random histories with kills before they are applied',
  async () => {
    await using t = await newMigratedDatabase()
    const wallet = fc.nat({ max: 3 })
    const step = fc.record({
      killed: fc.boolean(),
      kind: fc.nat({ max: 14 }),
      one: wallet,
      other: wallet,
      pick: fc.nat({ max: 30 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const wallets = Array.from({ length: 4 }, newWallet)
        for (const one of steps) await play(one.killed ? killedAfterCommit(t.db) : t.db, wallets, one)
        await follow(t.db)
        await expectCopies(t.db, wallets)
      }),
      { numRuns: 12 },
    )
  },
)

onCluster(
  'without a kill the copies show each change at once, and changes at the same time',
  async () => {
    await using t = await newMigratedDatabase()
    const wallets = Array.from({ length: 4 }, newWallet)
    for (let n = 0; n < 120; n++) {
      const step = { killed: false, kind: n % 15, one: n % 4, other: (n >> 1) % 4, pick: n }
      await Promise.all([play(t.db, wallets, step), play(t.db, wallets, { ...step, kind: 0 })])
      if (n % 10 === 0) await expectCopies(t.db, wallets)
    }
    await expectCopies(t.db, wallets)
  },
  300_000,
)

onCluster('what an instance did not apply is in the inbox after a step of the follower', async () => {
  await using t = await newMigratedDatabase()
  const [alice, bob] = [newWallet(), newWallet()]
  await t.db.query(...sending(alice, [bob]))
  expect(await countUnread(t.db, bob, 'all')).toBe(0)
  await follow(t.db)
  expect(await countUnread(t.db, bob, 'all')).toBe(1)
  await expectCopies(t.db, [alice, bob])
})

onCluster(
  'what is acknowledged is in the inboxes of both ends, with chats and an Idempotency-Key',
  async () => {
    await using service = await startService()
    const [alice, bob] = [newWallet(), newWallet()]
    const [asAlice, asBob] = [await service.as(alice), await service.as(bob)]
    const nftaddr = `0x${'ab'.repeat(20)}`
    await asBob.joinChat({ body: { walletaddr: bob, nftaddr } })
    for (let n = 1; n <= 5; n++) {
      const [{ id } = { id: 0 }] = await asAlice.sendDirectMessage({
        body: { fromaddr: alice, toaddr: bob, message: `${n}` },
      })
      expect(await asAlice.getInbox({ address: alice })).toMatchObject([{ id, message: `${n}` }])
      expect(await asBob.getInbox({ address: bob })).toMatchObject([{ id, unread: n }, { nftaddr }])
    }
    const [last] = await asBob.getInbox({ address: bob })
    await asBob.markDirectMessage({
      fromaddr: alice,
      toaddr: bob,
      body: { id: last!.id, fromaddr: alice, toaddr: bob, message: '', read: true },
    })
    expect(await asBob.countUnread({ address: bob })).toBe(4)
    await expectCopies(service.ctx.db, [alice, bob])
  },
)

onCluster('all copies are made of a database that is moved, and those of another release anew', async () => {
  await using t = await newMigratedDatabase()
  const wallets = Array.from({ length: 6 }, newWallet)
  for (const wallet of wallets) await t.db.query(...sending(wallet, [...wallets, newWallet()]))
  await t.db.query('delete from conversation_copies')
  await fillCopies(t.db)
  await expectCopies(t.db, wallets)
  await t.db.query(`update conversation_copies set last_item = ',"message":"old"', shape = $1`, [
    copyShape - 1,
  ])
  await expectCopies(t.db, wallets)
})
