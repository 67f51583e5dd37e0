// Shared round trips. A short read costs PostgreSQL and the service far less to run than to be sent, woken up for and
// answered: so reads that arrive together go as one statement, and each gets its own rows of the answer.

import type { Db } from '../db/connect.ts'
import { batched } from './batch.ts'

/**
 * Makes a read from a statement and the types of its values ($1, $2 …), gathered with other calls of the same. Answers the
 * statement's rows in its order. What goes together is answered together: so of reads that take longer, or answer much,
 * let fewer go at once (`size`).
 */
export function gathered<Row extends object>(
  sql: string,
  types: string[],
  size = 32,
): (db: Db, values: unknown[]) => Promise<Row[]> {
  const arrays = types.map((type, i) => `$${i + 1}::${type}[]`).join(', ')
  const columns = types.map((_, i) => `v${i + 1}`).join(', ')
  const forMany = `
    select asked.n, answer.* from unnest(${arrays}) with ordinality as asked (${columns}, n)
    cross join lateral (${sql.replaceAll(/\$(\d+)/g, 'asked.v$1')}) answer`

  return batched(
    async (db, calls: unknown[][]) => {
      if (calls.length === 1) return [await db.query<Row>(sql, calls[0])]
      const answers: Row[][] = calls.map(() => [])
      const values = types.map((_, i) => calls.map((call) => call[i]))
      for (const { n, ...row } of await db.query<{ n: number }>(forMany, values))
        answers[n - 1]!.push(row as Row)
      return answers
    },
    { inFlight: 2, size, waitsFor: 'tables' },
  )
}
