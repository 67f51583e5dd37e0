// This module restores a backup into an empty database: first the tables, by the migrations that the backup lists, then all rows
// in one transaction, which is rolled back when a single byte of the archive has changed. A restore that fails leaves the
// database empty, and may be tried again.

import { pipeline } from 'node:stream/promises'
import { from as copyFrom } from 'pg-copy-streams'
import { jobsSchema } from '../jobs/queue.ts'
import { migrateAll } from '../jobs/migrate.ts'
import type { FileStore } from '../files/store.ts'
import type { OnProgress } from '../lib/progress.ts'
import { openSession, type Session } from '../db/session.ts'
import { appliedMigrations, isOfOldLayout, listMigrations } from '../db/migrate.ts'
import { type Archive, type Manifest, openArchive, type Rows } from './archive.ts'
import { restoreFiles, storedBytes, verifyFiles } from './files.ts'
import { moveOn } from './move-on.ts'
import { findTables, quoted } from './tables.ts'

/** Tables that have rows from migrations. */
const seeded = new Set(['buckets', 'events_forgotten', 'log_readers'])

interface RestoreOptions {
  databaseUrl: string
  file: string
  /** The store into which the files and pictures of the archive are put. */
  fileStore?: FileStore
  /** This is called for each file and picture that neither the archive nor the store has. */
  onMissing?: (id: string) => void
  onProgress?: OnProgress
}

/**
 * Restores a backup into an empty database; throws when it is not empty, or when the archive is
 * damaged.
 */
export async function restore({
  databaseUrl,
  file,
  fileStore,
  onMissing = () => {},
  onProgress = () => {},
}: RestoreOptions): Promise<Manifest> {
  await using archive = await openArchive(file)
  const { manifest } = archive
  await requireKnown(manifest)
  await using session = await openSession(databaseUrl, 'parley restore')
  await requireEmpty(session, manifest)
  await migrateAll(databaseUrl, manifest.migrations.at(-1))
  await session.query('begin')
  // Writes of others wait until the end.
  const tables = (await findTables(session)).map(({ name }) => name)
  await session.query(`lock table ${quoted(tables)} in share row exclusive mode`)
  await requireEmpty(session, manifest)
  await session.query(`truncate ${quoted(tables)}`)
  await copyAll(session, archive, onProgress)
  await restoreJobs(session, archive)
  await moveOn(session, manifest.sequences)
  if (fileStore) {
    let done = 0
    const onBytes = (bytes: number) => onProgress('files', (done += bytes), storedBytes(manifest))
    await restoreFiles(archive, { store: fileStore, onBytes, onMissing })
  }
  await session.query('commit')
  await session.query('analyze')
  return manifest
}

/** Reads a backup as a restore would, without a database. */
export async function verify(file: string, onProgress: OnProgress = () => {}): Promise<Manifest> {
  await using archive = await openArchive(file)
  const { tables, jobs, secret } = archive.manifest
  const total = Object.values(tables).reduce((sum, { bytes }) => sum + bytes, storedBytes(archive.manifest))
  let done = 0
  await verifyFiles(archive, (bytes) => onProgress('files', (done += bytes), total))
  for (const content of [...Object.values(tables), jobs, ...(secret ? [secret] : [])])
    for await (const { length } of archive.read(content)) onProgress(content.file, (done += length), total)
  return archive.manifest
}

/** Returns the secret that signs tokens; undefined when the archive has none. */
export async function readSecret(file: string): Promise<string | undefined> {
  await using archive = await openArchive(file)
  const { secret } = archive.manifest
  return secret && String(Buffer.concat(await Array.fromAsync(archive.read(secret))))
}

async function requireKnown({ migrations, parley }: Manifest): Promise<void> {
  if (await isOfOldLayout(migrations))
    throw new Error(
      `This backup was made by a Parley before its first release (${parley}), with other tables. It cannot be restored ` +
        'into this one. That Parley can still restore it, and wallets can then export their data there: GET /v1/export/{address}.',
    )
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
  const applied = await appliedMigrations(session.client)
  if (applied.some((name, i) => name !== migrations[i]))
    throw new Error(`A Parley of another version than the backup's has started on this database. ${advice}`)
}

async function copyAll(session: Session, archive: Archive, onProgress: OnProgress): Promise<void> {
  const { tables } = archive.manifest
  const total = Object.values(tables).reduce((sum, { bytes }) => sum + bytes, 0)
  let done = 0
  for (const [name, rows] of Object.entries(tables))
    await copyInto(session, archive, name, rows, (bytes) => onProgress(name, (done += bytes), total))
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
