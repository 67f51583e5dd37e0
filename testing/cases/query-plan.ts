import type { Db } from '../../server/src/db/pool.ts'

interface Plan {
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

/**
 * Calls a read and counts the rows that its statements touch, in a plan for these values and in one for any: the greater of the
 * two.
 */
export async function countRowsTouched(db: Db, read: (on: Db) => Promise<unknown>): Promise<number> {
  let most = 0
  for (const mode of ['force_generic_plan', 'force_custom_plan'])
    await db.transaction(async (tx) => {
      await tx.query(`set local plan_cache_mode = ${mode}`)
      let rows = 0
      await read({
        ...tx,
        inTransaction: false,
        async query(sql, values, as) {
          const [found] = await tx.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
            `explain (analyze, format json) ${sql}`,
            values,
          )
          rows += touched(found!['QUERY PLAN'][0]!.Plan)
          return tx.query(sql, values, as)
        },
      })
      most = Math.max(most, rows)
    })
  return most
}

const touched = ({ Plans = [], ...plan }: Plan): number =>
  Plans.reduce(
    (sum, inner) => sum + touched(inner),
    (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'],
  )
