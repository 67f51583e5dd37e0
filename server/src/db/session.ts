import type pg from 'pg'
import { newClient } from './client.ts'

export interface Session extends AsyncDisposable {
  client: pg.Client
  query: <Row extends object>(sql: string, values?: unknown[]) => Promise<Row[]>
}

/** Opens a separate connection for work that may take long. What it reads and writes does not depend on the server's settings. */
export async function openSession(databaseUrl: string, name: string): Promise<Session> {
  const client = newClient({
    url: databaseUrl,
    name,
    settings: {
      // Tables of the same name in another schema do not hide those of the service.
      search_path: 'public,pg_temp',
    },
    connectionTimeoutMillis: 10_000,
  })
  await client.connect()
  return {
    client,
    query: async <Row extends object>(sql: string, values: unknown[] = []) =>
      (await client.query<Row>(sql, values)).rows,
    [Symbol.asyncDispose]: () => client.end().catch(() => {}),
  }
}
