// Restores a backup into an empty database: first the tables, by the migrations that the backup
// lists, then all rows in one transaction, which is rolled back when a single byte of the archive
// has changed. A restore that fails leaves the database empty, and may be tried again.
//
// What was acknowledged after the backup is not in it, but clients may have seen it. So new ids are
// far above those of the backup, and none is used twice; and clients that resume their event stream
// get an event that makes them read everything again.

import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { jobsSchema } from '../jobs/queue.ts'
import { migrateAll } from '../jobs/migrate.ts'
import { listMigrations } from '../db/migrate.ts'
import { type Archive, type Manifest, openArchive, type Rows } from './archive.ts'
import type { OnProgress } from './backup.ts'
import { findMigrations, findSequences, findTables, openSession, quoted, type Session } from './session.ts'

/** More ids than a service can have used between a backup and its end. */
const idsAhead = 1_000_000_000

/** Tables that have rows from migrations. */
const seeded = new Set(['events_forgotten'])

interface RestoreOptions {
  databaseUrl: string
  file: string
  onProgress?: OnProgress
}

/**
 * Restores a backup into an empty database; throws when it is not empty, or when the archive is
 * damaged.
 */
export async function restore({ databaseUrl, file, onProgress }: RestoreOptions): Promise<Manifest> {
  await using archive = await openArchive(file)
  const { manifest } = archive
  await requireKnown(manifest)
  await using session = await openSession(databaseUrl)
  await requireEmpty(session, manifest)
  await migrateAll(databaseUrl, manifest.migrations.at(-1))
  await session.query('begin')
  // Writes of others wait until the end.
  const tables = (await findTables(session)).map(({ name }) => name)
  await session.query(`lock table ${quoted(tables)} in share row exclusive mode`)
  await requireEmpty(session, manifest)
  await session.query(`truncate ${quoted(tables)}`)
  await setTriggers(session, tables, 'disable')
  await copyAll(session, archive, onProgress ?? (() => {}))
  await setTriggers(session, tables, 'enable')
  await restoreJobs(session, archive)
  await moveSequences(session, manifest)
  if (tables.includes('events_forgotten'))
    await session.query(`update events_forgotten set id = (select last_value from item_ids)`)
  await session.query('commit')
  await session.query('analyze')
  return manifest
}

/** Reads a backup as a restore would, without a database. */
export async function verify(file: string, onProgress: OnProgress = () => {}): Promise<Manifest> {
  await using archive = await openArchive(file)
  const { tables, jobs, secret } = archive.manifest
  const total = Object.values(tables).reduce((sum, { bytes }) => sum + bytes, 0)
  let done = 0
  for (const content of [...Object.values(tables), jobs, ...(secret ? [secret] : [])])
    for await (const { length } of archive.read(content)) onProgress(content.file, (done += length), total)
  return archive.manifest
}

/** The secret that signs tokens; undefined when the archive has none. */
export async function readSecret(file: string): Promise<string | undefined> {
  await using archive = await openArchive(file)
  const { secret } = archive.manifest
  return secret && String(Buffer.concat(await Array.fromAsync(archive.read(secret))))
}

async function requireKnown({ migrations, parley }: Manifest): Promise<void> {
  const known = new Set(await listMigrations())
  const unknown = migrations.filter((name) => !known.has(name))
  if (unknown.length > 0)
    throw new Error(
      `This backup was made by a newer Parley (${parley}, with ${unknown.join(', ')}). Update Parley first.`,
    )
}

async function requireEmpty(session: Session, { migrations }: Manifest): Promise<void> {
  const advice =
    'A backup is restored into an empty database only: set DATA_DIR to a new directory, or DATABASE_URL to a new database.'
  const used: string[] = []
  for (const { name } of await findTables(session)) {
    const rows = await session.query(`select 1 as one from ${quoted([name])} limit 1`)
    if (rows.length > 0 && !seeded.has(name)) used.push(name)
  }
  if (used.length > 0) throw new Error(`The database holds data (in ${used.join(', ')}). ${advice}`)
  const applied = await findMigrations(session)
  if (applied.some((name, i) => name !== migrations[i]))
    throw new Error(`A Parley of another version than the backup's has started on this database. ${advice}`)
}

/** Rows are copied as they were; the rows that triggers made of them are in the backup too. */
async function setTriggers(session: Session, tables: string[], to: 'enable' | 'disable'): Promise<void> {
  for (const table of tables) await session.query(`alter table ${quoted([table])} ${to} trigger user`)
}

async function copyAll(session: Session, archive: Archive, onProgress: OnProgress): Promise<void> {
  const { tables } = archive.manifest
  const total = Object.values(tables).reduce((sum, { bytes }) => sum + bytes, 0)
  let done = 0
  for (const name of await inOrderOfReferences(session, Object.keys(tables)))
    await copyInto(session, archive, name, tables[name]!, (bytes) => onProgress(name, (done += bytes), total))
}

async function copyInto(
  { client }: Session,
  archive: Archive,
  table: string,
  content: Rows,
  onBytes: (bytes: number) => void = () => {},
): Promise<void> {
  async function* counted() {
    for await (const chunk of archive.read(content)) {
      onBytes(chunk.length)
      yield chunk
    }
  }
  const copy = client.query(copyFrom(`copy ${quoted([table])} (${quoted(content.columns)}) from stdin`))
  await pipeline(counted, copy)
  if (copy.rowCount !== content.rows)
    throw new Error(
      `The archive is damaged: ${content.file} has ${copy.rowCount} rows instead of ${content.rows}.`,
    )
}

/** Sorts tables so that each comes after those that it refers to. */
async function inOrderOfReferences({ query }: Session, names: string[]): Promise<string[]> {
  const references = await query<{ table: string; other: string }>(
    `select c.relname as "table", o.relname as other from pg_constraint f
     join pg_class c on c.oid = f.conrelid join pg_class o on o.oid = f.confrelid
     where f.contype = 'f' and f.connamespace = 'public'::regnamespace and f.conrelid <> f.confrelid`,
  )
  const ordered = new Set<string>()
  const add = (name: string) => {
    for (const { table, other } of references) if (table === name && !ordered.has(other)) add(other)
    ordered.add(name)
  }
  for (const name of names) add(name)
  return [...ordered]
}

async function restoreJobs(session: Session, archive: Archive): Promise<void> {
  const { jobs } = archive.manifest
  await session.query(
    `create temporary table waiting_jobs (identifier text, payload json, run_at timestamptz, max_attempts int, key text, priority int)
     on commit drop`,
  )
  await copyInto(session, archive, 'waiting_jobs', jobs)
  await session.query(
    `select count(${jobsSchema}.add_job(identifier, payload, run_at => run_at, max_attempts => max_attempts, job_key => key, priority => priority))
     from waiting_jobs`,
  )
}

/** Sets sequences above all ids that were used before the backup, or may have been used since. */
async function moveSequences(session: Session, { sequences }: Manifest): Promise<void> {
  for (const name of await findSequences(session)) {
    const next = [sequences[name] ?? 1]
    for (const { table, column } of await findDrawn(session, name)) {
      const [row] = await session.query<{ most: string | null }>(
        `select max(${quoted([column])}) as most from ${quoted([table])}`,
      )
      next.push(Number(row!.most) + 1)
    }
    await session.query(`select setval($1, $2)`, [pg.escapeIdentifier(name), Math.max(...next) + idsAhead])
  }
}

/** The columns that are filled from a sequence: they own it, or it is in their default. */
const findDrawn = ({ query }: Session, sequence: string) =>
  query<{ table: string; column: string }>(
    `select c.relname as "table", a.attname as "column"
     from (
       select refobjid as relid, refobjsubid as num from pg_depend
       where classid = 'pg_class'::regclass and objid = $1::regclass and refclassid = 'pg_class'::regclass and deptype in ('a', 'i')
       union
       select f.adrelid, f.adnum from pg_depend d join pg_attrdef f on f.oid = d.objid
       where d.classid = 'pg_attrdef'::regclass and d.refclassid = 'pg_class'::regclass and d.refobjid = $1::regclass
     ) drawn join pg_class c on c.oid = drawn.relid join pg_attribute a on a.attrelid = c.oid and a.attnum = drawn.num`,
    [pg.escapeIdentifier(sequence)],
  )
