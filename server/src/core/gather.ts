// Shared round trips. A short read costs PostgreSQL and the service far less to run than to be sent, woken up for and
// answered: so reads that arrive together go as one statement, and each gets its own rows of the answer.

import type { Db } from '../db/connect.ts'
import { batched } from './batch.ts'

/** How many reads go as one statement, and how many such statements at once. */
const weights = {
  /** The round trip costs more than the read. */
  light: { size: 32, inFlight: 2 },
  /** The read is most of it, and PostgreSQL has a core for each. */
  heavy: { size: 8, inFlight: 4 },
  /** Answers of a hundred kilobytes and more, which take memory until all are there. */
  long: { size: 4, inFlight: 2 },
}

/**
 * Makes a read from a statement and the types of its values ($1, $2 …), gathered with other calls of the same. Answers the
 * statement's rows in its order. What goes together is answered together: hence the `weight`.
 */
export function gathered<Row extends object>(
  sql: string,
  types: string[],
  weight: keyof typeof weights = 'light',
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
    { ...weights[weight], waitsFor: 'tables' },
  )
}
