import type pg from 'pg'
import { newClient } from './client.ts'
import { beingMoved, databaseError } from './failures.ts'

/** The table that exists while a database is moved onto a cluster (distribute/). */
export const moveMark = 'database_move'

/**
 * Whether a database is a cluster of Citus, made so by server/cluster/distribute.sql. There an id is
 * not drawn by next_id_v1, which is what differs (server/cluster/ids.sql). Throws while it is moved.
 */
export async function isCluster(databaseUrl: string): Promise<boolean> {
  const client = newClient({ url: databaseUrl, name: 'parley start', connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    return await readIsCluster(client)
  } finally {
    await client.end()
  }
}

/** The same, on a connection. */
export async function readIsCluster(on: pg.ClientBase): Promise<boolean> {
  // Both by the snapshot of the statement: the mark goes with the commit that makes the cluster.
  const { rows } = await on.query<{ cluster: boolean; moving: boolean }>(
    `select exists (select 1 from pg_proc where oid = to_regprocedure('next_id_v1(integer, bigint)') and provolatile = 'i') as cluster,
       exists (select 1 from pg_class where relname = '${moveMark}' and relnamespace = 'public'::regnamespace) as moving`,
  )
  if (rows[0]!.moving) throw databaseError(beingMoved, 'it is being moved onto a cluster')
  return rows[0]!.cluster
}
