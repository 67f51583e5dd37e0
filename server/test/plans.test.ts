import { expect } from 'vitest'
import { cutTables } from '../src/db/cut.ts'
import { type JsonList, pagesOf } from '../src/db/pages.ts'
import type { Db } from '../src/db/pool.ts'
import { countUnreadOfToken } from '../src/features/inbox/counts.ts'
import { findInbox } from '../src/features/inbox/store.ts'
import { onOneMachine } from '../../testing/service/engines.ts'
import { newWallet, startService } from '../../testing/service/service.ts'
import * as lists from '../src/features/direct-messages/lists.ts'

interface Plan {
  'Node Type': string
  'Rows Removed by Filter'?: number
  'Actual Loops': number
  Plans?: Plan[]
}

/** How many rows a plan looked at in vain. */
const inVain = ({ Plans = [], ...plan }: Plan): number =>
  Plans.reduce(
    (sum, inner) => sum + inVain(inner),
    (plan['Rows Removed by Filter'] ?? 0) * plan['Actual Loops'],
  )

onOneMachine(
  'no list walks through messages that it does not show, in one table or one of several parts, alone or with others',
  async () => {
    await using service = await startService()
    const { db } = service.ctx
    const [alice, bob, carol] = [newWallet(), newWallet(), newWallet()]
    const token = { nftaddr: newWallet(), nftid: '7' }
    // Between the same two: what the lists look for, and then much that they do not.
    const asAlice = await service.as(alice)
    for (const peer of [bob, carol]) {
      for (let n = 0; n < 3; n++) {
        const [sent] = await asAlice.sendDirectMessage({
          body: { fromaddr: alice, toaddr: peer, message: 'x', ...token },
        })
        await (await service.as(peer)).markDirectMessage({ ...sent!, body: { ...sent!, read: true } })
      }
      await db.query(
        `insert into direct_messages (bucket, conversation_id, id, fromaddr, toaddr, message, ms)
       select bucket, conversation_id, next_id_v1(bucket, id + 64 * n), fromaddr, toaddr, 'y', ms + n
       from (select * from direct_messages where toaddr = $1 order by id desc limit 1) m, generate_series(1, 20000) n`,
        [peer],
      )
    }
    // And what everybody else says, so that the planner does not take them for the only wallets.
    await db.query(
      `insert into direct_messages (bucket, conversation_id, id, fromaddr, toaddr, message, nftaddr, nftid, read, ms)
     select n % 64, -n % 500, next_id_v1(n % 64, n), 'w' || n % 500, 'v' || n % 500, 'z', 't' || n % 50, n % 9, n % 2 = 0, n from generate_series(1, 40000) n`,
    )
    const page = { limit: 100 }
    const newest = { limit: 100, before: Number.MAX_SAFE_INTEGER }
    const reads: Record<string, (db: Db, peer: string) => unknown> = {
      wallet: (on, peer) => lists.findMessagesOf(on, peer, newest),
      conversation: (on, peer) => lists.findConversation(on, alice, peer, newest),
      since: (on, peer) => lists.findConversationSince(on, alice, peer, Date.now(), {}),
      read: (on, peer) => lists.findReadMessages(on, alice, peer, page),
      'read, newest': (on, peer) => lists.findReadMessages(on, alice, peer, newest),
      nfts: (on, peer) => lists.findNftMessagesOf(on, peer, newest),
      token: (on, peer) => lists.findNftMessagesOfToken(on, peer, token, newest),
      'token of a pair': (on, peer) => lists.findNftConversation(on, alice, peer, token, newest),
      inbox: findInbox,
      'unread of a token': (on, peer) => countUnreadOfToken(on, peer, token.nftaddr, token.nftid),
    }
    const requireDirectPlans = async (where: string) => {
      for (const [name, read] of Object.entries(reads))
        for (const peers of [[bob], [bob, carol]])
          for (const mode of ['force_generic_plan', 'force_custom_plan'])
            await db.transaction(async (tx) => {
              await tx.query(`set local plan_cache_mode = ${mode}`)
              const rows: number[] = []
              const explain = async (sql: string, values?: unknown[]) => {
                const [found] = await tx.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
                  `explain (analyze, format json) ${sql}`,
                  values,
                )
                rows.push(inVain(found!['QUERY PLAN'][0]!.Plan))
              }
              const explaining: Db = {
                ...tx,
                inTransaction: false,
                query: (sql, values, as) => explain(sql, values).then(() => tx.query(sql, values, as)),
              }
              const answers = peers.map((peer) => read(explaining, peer))
              await Promise.all(answers.map((answer) => drained(explaining, answer)))
              expect(Math.max(...rows), `${name} in ${where}, ${peers.length} at once, ${mode}`).toBeLessThan(
                1000,
              )
            })
    }
    await db.query('vacuum analyze')
    await requireDirectPlans('one table')
    for (let n = 0; n < 3; n++) {
      await cutTables({ databaseUrl: service.databaseUrl, margin: 1 })
      await asAlice.sendDirectMessage({ body: { fromaddr: alice, toaddr: bob, message: 'x', ...token } })
      await asAlice.sendDirectMessage({ body: { fromaddr: alice, toaddr: carol, message: 'x', ...token } })
    }
    await requireDirectPlans('several parts')
  },
)

async function drained(db: Db, answer: unknown): Promise<void> {
  if (answer instanceof Promise) await answer
  else for await (const _ of pagesOf(answer as JsonList<unknown>, db));
}
