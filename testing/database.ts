import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

/** The URL of a database on the PostgreSQL that this worker's tests use. */
export function serverUrl(): string {
  const urls = inject('databaseUrls')
  const worker = Number(process.env.VITEST_POOL_ID)
  return urls[(worker - 1) % urls.length]!
}

/** A database of a test's own, dropped at its end: a copy of the template, or an empty one. */
export async function newDatabase(template = 'template1') {
  const name = `test_${randomBytes(6).toString('hex')}`
  // Copying files is faster than writing the copy to the log, which is the default.
  await onServer(`create database ${name} template ${template} strategy file_copy`)
  return {
    databaseUrl: Object.assign(new URL(serverUrl()), { pathname: `/${name}` }).href,
    [Symbol.asyncDispose]: () => onServer(`drop database ${name} with (force)`),
  }
}

async function onServer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl() })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
