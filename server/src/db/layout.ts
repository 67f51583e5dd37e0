// The tables of a database lie on one machine, or on the nodes of a cluster of Citus (docs/cluster.md). What differs is in
// cluster/layout.ts, which has both values and declares what the floors above db/ need of them. The database says which layout it
// has when it is opened, and every Db has that value from then on.

import type pg from 'pg'
import { newClient } from './client.ts'
import { beingMoved, databaseError } from './failures.ts'

export type LayoutName = 'machine' | 'cluster'

/** Queries the shard of every bucket. */
export type AskShards = (sql: string) => Promise<{ rows: { bucket: number; shard: number }[] }>

export interface Layout {
  readonly name: LayoutName
  /** Sessions that serve requests have these settings, in place of those of client.ts. */
  readonly settings: Record<string, string>
  /** This is true where the layout allows a standby that shows all of it. */
  readonly hasStandby: boolean
  /** This is true when reads that arrive together go as one statement (coalesce.ts). */
  readonly sharesReads: boolean
  /** Makes a function that returns the shard of a bucket, as far as it is known; it is undefined where there are no shards. */
  readonly createShards: ((ask: AskShards) => (bucket: number) => number) | undefined
}

/** This table exists while a database is moved onto a cluster (cluster/distribute/). */
export const moveMark = 'database_move'

/** Queries which layout a database has. */
export async function findLayout(databaseUrl: string): Promise<LayoutName> {
  const client = newClient({ url: databaseUrl, name: 'parley start', connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    return await readLayout(client)
  } finally {
    await client.end()
  }
}

/**
 * Does the same on a connection. A database is a cluster of Citus when server/cluster/distribute.sql has made it one. There
 * next_id_v1 draws no id, which is the difference (server/cluster/ids.sql). It throws while the database is moved.
 */
export async function readLayout(on: pg.ClientBase): Promise<LayoutName> {
  // One snapshot shows both: the mark goes with the commit that makes the cluster.
  const { rows } = await on.query<{ cluster: boolean; moving: boolean }>(
    `select exists (select 1 from pg_proc where oid = to_regprocedure('next_id_v1(integer, bigint)') and provolatile = 'i') as cluster,
       exists (select 1 from pg_class where relname = '${moveMark}' and relnamespace = 'public'::regnamespace) as moving`,
  )
  if (rows[0]!.moving) throw databaseError(beingMoved, 'it is being moved onto a cluster')
  return rows[0]!.cluster ? 'cluster' : 'machine'
}
