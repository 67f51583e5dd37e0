import pg from 'pg'
import type { Session } from '../db/session.ts'
import { jobsSchema } from '../jobs/queue.ts'

export interface Table {
  name: string
  /** Without those that PostgreSQL computes. */
  columns: string[]
  /** Bytes on disk, with those of its parts. */
  size: number
}

/**
 * The tables that hold data; not the ones that a crash may empty, nor the list of migrations, nor
 * sessions: one that has ended since must not be back after a restore; nor keys of the service, which are secrets; nor the copies of a cluster, which are made anew
 * when a database becomes one. One that is cut into parts is read as one.
 */
export const findTables = ({ query }: Session) =>
  query<Table>(
    `select c.relname as name, (pg_table_size(c.oid) + coalesce(
         (select sum(pg_table_size(inhrelid)) from pg_inherits where inhparent = c.oid), 0))::float8 as size,
       array(select a.attname::text from pg_attribute a
             where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns
     from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and c.relpersistence = 'p' and c.relname not like 'kysely_migration%' and c.relname not in ('sessions', 'conversation_copies', 'service_keys')
     order by c.relname collate "C"`,
  )

export const findSequences = async ({ query }: Session): Promise<string[]> => {
  const rows = await query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'S' order by relname`,
  )
  return rows.map(({ name }) => name)
}

/**
 * The waiting jobs, by the arguments that add a job: so a backup does not depend on how the queue
 * stores them.
 */
export const jobColumns = ['identifier', 'payload', 'run_at', 'max_attempts', 'key', 'priority']
export const waitingJobs = `
  select t.identifier, j.payload, j.run_at, j.max_attempts, j.key, j.priority
  from ${jobsSchema}._private_jobs j join ${jobsSchema}._private_tasks t on t.id = j.task_id
  where j.attempts < j.max_attempts order by j.id`

export const quoted = (names: string[]): string => names.map((name) => pg.escapeIdentifier(name)).join(', ')
