import { expect } from 'vitest'
import type { Db } from '../src/db/pool.ts'
import { pagesOf } from '../src/db/pages.ts'
import { countUnreadIn } from '../src/features/inbox/counts.ts'
import { findInbox } from '../src/features/inbox/store.ts'
import { onOneMachine } from '../../testing/service/engines.ts'
import { newWallet, startService } from '../../testing/service/service.ts'

interface Plan {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

/** How many rows of conversations a plan looked at. */
const lookedAt = ({ Plans = [], ...plan }: Plan): number =>
  Plans.reduce(
    (sum, inner) => sum + lookedAt(inner),
    plan['Relation Name'] === 'conversations'
      ? (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']
      : 0,
  )

onOneMachine('what a wallet has accepted is read without the thousands of requests behind it', async () => {
  await using service = await startService()
  const { db } = service.ctx
  const bob = newWallet()
  const asBob = await service.as(bob)
  for (let n = 0; n < 3; n++)
    await asBob.sendDirectMessage({ body: { fromaddr: bob, toaddr: newWallet(), message: 'gm' } })
  // Requests from either end of the pair, and what everybody else has.
  await db.query(
    `insert into conversations (bucket, a, b, id, began_ms, last_ms, state_a, state_b, unread_b)
     select n % 64, least($1 collate "C", w), greatest($1 collate "C", w), next_id_v1(n % 64, n), n, n,
       (w < $1 collate "C")::integer, (w > $1 collate "C")::integer, 0
     from (select n, '0x' || md5(n::text) || '00000000' as w from generate_series(1, 5000) n) w`,
    [bob],
  )
  await db.query(
    `insert into conversations (bucket, a, b, id, began_ms, last_ms, state_a)
     select n % 64, 'v' || n % 500, 'w' || n, next_id_v1(n % 64, n), n, n, 1 from generate_series(1, 20000) n`,
  )
  await db.query('vacuum analyze conversations')
  for (const mode of ['force_generic_plan', 'force_custom_plan'])
    await db.transaction(async (tx) => {
      await tx.query(`set local plan_cache_mode = ${mode}`)
      const rows: number[] = []
      const explaining: Db = {
        ...tx,
        inTransaction: false,
        query: async (sql, values, as) => {
          const [found] = await tx.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
            `explain (analyze, format json) ${sql}`,
            values,
          )
          rows.push(lookedAt(found!['QUERY PLAN'][0]!.Plan))
          return tx.query(sql, values, as)
        },
      }
      for (const query of [{}, { limit: 50 }]) {
        const inbox = await findInbox(explaining, bob, [], { view: 'main', ...query })
        for await (const _ of pagesOf(inbox, explaining));
      }
      await countUnreadIn(explaining, bob, 'main', [])
      expect(Math.max(...rows), mode).toBeLessThanOrEqual(6)
      expect(Math.max(...rows), mode).toBeGreaterThan(0)
    })
})
