import { createHash } from 'node:crypto'
import pg from 'pg'

// Ids stay far below 2^53, so they travel as numbers.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/** PostgreSQL's binary format, in which text is neither measured nor parsed. */
const bytesFormat = {
  binary: true,
  types: {
    getTypeParser: (type: number) => (value: Buffer) => {
      if (type !== textType) throw new TypeError('Every column must be text.')
      return value
    },
  },
}

const textType: number = pg.types.builtins.TEXT

/** Runs one statement, prepared once per connection (Db.query). */
export async function run<Row extends object>(
  on: pg.Pool | pg.PoolClient,
  text: string,
  values: unknown[] = [],
  as?: 'bytes',
): Promise<Row[]> {
  const { rows } = await on.query<Row>({ name: nameOf(text), text, values, ...(as && bytesFormat) })
  return rows
}

const names = new Map<string, string>()

/** A statement's name follows from its text, so equal texts share one plan per connection. */
function nameOf(text: string): string {
  let name = names.get(text)
  if (!name) names.set(text, (name = createHash('sha256').update(text).digest('base64url')))
  return name
}
