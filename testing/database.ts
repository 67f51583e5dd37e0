import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

/** A database of a test's own, dropped at its end: a copy of the template, or an empty one. */
export async function newDatabase(template = 'template1') {
  const name = `test_${randomBytes(6).toString('hex')}`
  // Copying files is faster than writing the copy to the log, which is the default.
  await onServer(`create database ${name} template ${template} strategy file_copy`)
  return {
    databaseUrl: Object.assign(new URL(inject('databaseUrl')), { pathname: `/${name}` }).href,
    [Symbol.asyncDispose]: () => onServer(`drop database ${name} with (force)`),
  }
}

async function onServer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('databaseUrl') })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
