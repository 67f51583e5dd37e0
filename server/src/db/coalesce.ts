// Shared round trips. A short read costs PostgreSQL and the service far less to run than to be sent, woken up for and
// answered: so reads that arrive together go as one statement, and each gets its own rows of the answer.

import type { Db } from './pool.ts'
import { batched } from './batch.ts'
import { taken } from './taken.ts'

/** How many rows a statement is to answer, as far as it can be told from the last ones, and how many statements at once. */
const weights = {
  /** The round trip costs more than the read. */
  light: { rows: 32, inFlight: 2 },
  /** The read is most of it, and PostgreSQL has a core for each. */
  heavy: { rows: 8, inFlight: 4 },
  /** Rows of a hundred kilobytes, which take memory until all are there. */
  long: { rows: 8, inFlight: 2 },
}

/**
 * Makes a read from a statement and the types of its values ($1, $2 …), gathered with other calls of the same. Answers the
 * statement's rows in its order. What goes together is answered together: hence the `weight`.
 */
export const gathered = <Row extends object>(
  sql: string,
  types: string[],
  weight: 'light' | 'heavy' = 'light',
): Read<Row> => together(sql, types, weights[weight], (db, ...query) => db.query<Row>(...query))

/** The same for a statement whose columns are all text, and long. */
export const gatheredBytes = <Column extends string>(
  sql: string,
  types: string[],
): Read<Record<Column, Buffer>> =>
  together(sql, types, weights.long, (db, ...query) => db.queryBytes<Column>(...query))

type Read<Row> = (db: Db, values: unknown[]) => Promise<Row[]>

function together<Row extends object>(
  sql: string,
  types: string[],
  { rows, inFlight }: { rows: number; inFlight: number },
  query: (db: Db, sql: string, values: unknown[]) => Promise<Row[]>,
): Read<Row> {
  const arrays = types.map((type, i) => `$${i + 1}::${type}[]`).join(', ')
  const columns = types.map((_, i) => `v${i + 1}`).join(', ')
  const forMany = `
    select asked.n::text, answer.* from unnest(${arrays}) with ordinality as asked (${columns}, n)
    cross join lateral (${sql.replaceAll(/\$(\d+)/g, 'asked.v$1')}) answer`

  /** How many rows a read was answered with of late: at once when it was more than before, slowly when it was less. */
  let rowsEach = 1
  return batched(
    async (db, calls: unknown[][]) => {
      const answers: Row[][] = calls.map(() => [])
      if (calls.length === 1) answers[0] = taken(await query(db, sql, calls[0]!))
      else {
        const values = types.map((_, i) => calls.map((call) => call[i]))
        for (const { n, ...row } of taken((await query(db, forMany, values)) as (Row & { n: unknown })[]))
          answers[Number(n) - 1]!.push(row as unknown as Row)
      }
      const found = answers.reduce((sum, { length }) => sum + length, 0) / calls.length
      rowsEach = Math.max(found, rowsEach + (found - rowsEach) / 8)
      return answers
    },
    {
      inFlight,
      waitsFor: 'tables',
      get size() {
        return Math.max(1, Math.round(rows / Math.max(1, rowsEach)))
      },
    },
  )
}
