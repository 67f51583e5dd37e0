import { newClient } from './client.ts'

/**
 * Whether a database is a cluster of Citus, made so by server/cluster/distribute.sql. There an id is
 * not drawn by next_id_v1, which is what differs (server/cluster/ids.sql).
 */
export async function isCluster(databaseUrl: string): Promise<boolean> {
  const client = newClient({ url: databaseUrl, name: 'parley start', connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    const { rows } = await client.query<{ found: boolean }>(
      `select exists (select from pg_proc where oid = to_regprocedure('next_id_v1(integer, bigint)') and provolatile = 'i') as found`,
    )
    return rows[0]!.found
  } finally {
    await client.end()
  }
}
