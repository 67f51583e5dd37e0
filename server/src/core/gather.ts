// Shared round trips. A short read costs PostgreSQL and the service far less to run than to be sent, woken up for and
// answered: so reads that arrive together go as one statement, and each gets its own row of the answer.

import type { Db } from '../db/connect.ts'
import { batched } from './batch.ts'

/**
 * Makes a read of one row from a statement and the types of its values ($1, $2 …), gathered with other calls of the same.
 * Answers undefined where the statement finds nothing. For short reads alone: what is gathered is answered together.
 */
export function gathered<Row extends object>(
  sql: string,
  types: string[],
): (db: Db, values: unknown[]) => Promise<Row | undefined> {
  const arrays = types.map((type, i) => `$${i + 1}::${type}[]`).join(', ')
  const columns = types.map((_, i) => `v${i + 1}`).join(', ')
  const forMany = `
    select i.n, r.* from unnest(${arrays}) with ordinality as i (${columns}, n)
    cross join lateral (${sql.replaceAll(/\$(\d+)/g, 'i.v$1')}) r`

  return batched(
    async (db, calls: unknown[][]) => {
      if (calls.length === 1) return db.query<Row>(sql, calls[0])
      const answers: (Row | undefined)[] = calls.map(() => undefined)
      const values = types.map((_, i) => calls.map((call) => call[i]))
      for (const { n, ...row } of await db.query<{ n: number }>(forMany, values)) answers[n - 1] = row as Row
      return answers
    },
    { inFlight: 2, size: 32 },
  )
}
