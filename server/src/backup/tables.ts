import pg from 'pg'
import type { Session } from '../db/session.ts'
import { jobsSchema } from '../jobs/queue.ts'

export interface Table {
  name: string
  /** The columns, without those that PostgreSQL computes. */
  columns: string[]
  /** This is true where its ids are numbers, as those of items, and no texts. */
  isNumbered: boolean
  /** The bytes on disk, with those of its parts. */
  size: number
}

/**
 * Returns the tables that hold data. It leaves out tables that a crash may empty, the list of migrations, sessions (one that has
 * ended since must not be back after a restore), keys of the service, which are secrets, the disks of instances, which are others
 * after a restore, the index of searches, which is made again, and the copies of a cluster, which are made again when a database
 * becomes one. A table that is cut into parts is read as one.
 */
export const findTables = ({ query }: Session) =>
  query<Table>(
    `select c.relname as name, (pg_table_size(c.oid) + coalesce(
         (select sum(pg_table_size(inhrelid)) from pg_inherits where inhparent = c.oid), 0))::float8 as size,
       exists (select a.attname from pg_attribute a
               where a.attrelid = c.oid and a.attname = 'id' and a.atttypid = 'bigint'::regtype) as "isNumbered",
       array(select a.attname::text from pg_attribute a
             where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns
     from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and c.relpersistence = 'p' and c.relname not like 'kysely_migration%' and c.relname not in ('sessions', 'conversation_copies', 'service_keys', 'file_disks',
         'search_direct', 'search_posts', 'search_gone')
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
