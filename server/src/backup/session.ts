import pg from 'pg'
import { newClient } from '../db/client.ts'
import { jobsSchema } from '../jobs/queue.ts'

export interface Session extends AsyncDisposable {
  client: pg.Client
  query: <Row extends object>(sql: string, values?: unknown[]) => Promise<Row[]>
}

/**
 * A connection of its own, for work that may take long. What it reads and writes does not depend on
 * the server's settings.
 */
export async function openSession(databaseUrl: string): Promise<Session> {
  const client = newClient({
    url: databaseUrl,
    name: 'parley backup',
    settings: {
      statement_timeout: '0',
      idle_in_transaction_session_timeout: '0',
      timezone: 'UTC',
      datestyle: 'ISO',
      intervalstyle: 'postgres',
      bytea_output: 'hex',
      extra_float_digits: '1',
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

export interface Table {
  name: string
  /** Without those that PostgreSQL computes. */
  columns: string[]
  /** Bytes on disk. */
  size: number
}

/** The tables that hold data; not the ones that a crash may empty, nor the list of migrations. */
export const findTables = ({ query }: Session) =>
  query<Table>(
    `select c.relname as name, pg_table_size(c.oid)::float8 as size,
       array(select a.attname::text from pg_attribute a
             where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns
     from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relpersistence = 'p' and c.relname not like 'kysely_migration%'
     order by c.relname collate "C"`,
  )

/**
 * The migrations that were applied to a database, in order; none before the first start of a
 * Parley.
 */
export async function findMigrations({ query }: Session): Promise<string[]> {
  const [found] = await query<{ there: boolean }>(
    `select to_regclass('kysely_migration') is not null as there`,
  )
  if (!found!.there) return []
  const rows = await query<{ name: string }>(`select name from kysely_migration order by name`)
  return rows.map(({ name }) => name)
}

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
