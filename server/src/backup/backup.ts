// A backup of a database in use: one transaction reads all tables as they were at one moment,
// whatever is written meanwhile, and copies them one after the other into one archive. Everything
// that was acknowledged before it began is in it. Requests do not wait for it; changes of the
// tables themselves (by a new version that starts) wait for its end.

import { createHash } from 'node:crypto'
import { access, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { to as copyTo } from 'pg-copy-streams'
import { createClock, readClock } from '../db/clock.ts'
import { appliedMigrations } from '../db/migrate.ts'
import { openSession, type Session } from '../db/session.ts'
import type { OnProgress } from '../lib/progress.ts'
import type { FileStore } from '../files/store.ts'
import { type ArchivedFile, zipOf } from '../lib/zip.ts'
import {
  checksumsFile,
  type Content,
  contentsOf,
  format,
  type Manifest,
  manifestFile,
  type Rows,
} from './archive.ts'
import { filesOfBackup } from './files.ts'
import { findSequences, findTables, jobColumns, quoted, waitingJobs } from './tables.ts'

interface BackupOptions {
  databaseUrl: string
  version: string
  /** The file to write; it must not exist. */
  to: string
  /** The secret that signs tokens, to be stored in the archive. */
  secret?: string | undefined
  /** The store of files: the bytes of all pictures are stored in the archive. */
  fileStore: FileStore
  /** This is true when the bytes of the files of messages are to be stored in it too. */
  withFiles?: boolean | undefined
  /** The table that is being copied, and bytes. */
  onProgress?: OnProgress
  signal?: AbortSignal
}

/** Writes a backup. The file gets its name when it is complete and on disk. */
export async function backUp({
  databaseUrl,
  version,
  to,
  secret,
  fileStore,
  withFiles = false,
  onProgress = () => {},
  signal,
}: BackupOptions): Promise<Manifest> {
  await using session = await openSession(databaseUrl, 'parley backup')
  await session.query('begin isolation level repeatable read read only')
  const manifest = await beginManifest(session, version)
  const files = filesOf(session, manifest, { secret, fileStore, withFiles, onProgress })
  await writeNew(to, () => zipOf(files), signal)
  return manifest
}

/** Writes a file under another name, and renames it when it is on disk. */
async function writeNew(path: string, begin: () => Readable, signal: AbortSignal | undefined): Promise<void> {
  const draft = `${path}.part`
  const file = await open(draft, 'wx', 0o600).catch((error: Error & { code?: string }) => {
    if (error.code !== 'EEXIST') throw error
    throw new Error(`${draft} exists. Another backup is under way, or was cut off: then remove it.`, {
      cause: error,
    })
  })
  try {
    if (
      await access(path).then(
        () => true,
        () => false,
      )
    )
      throw new Error(`${path} exists already. Move it away, or choose another name.`)
    await pipeline(begin(), file.createWriteStream({ flush: true }), signal ? { signal } : {})
    await rename(draft, path)
    await using folder = await open(dirname(path))
    await folder.sync()
  } catch (error) {
    await file.close()
    await rm(draft, { force: true })
    throw error
  }
}

async function beginManifest(session: Session, version: string): Promise<Manifest> {
  const migrations = await appliedMigrations(session.client)
  if (migrations.length === 0)
    throw new Error('There is nothing to back up: no Parley has started on this database.')
  const clock = createClock()
  await readClock(session.client, clock)
  return {
    format,
    parley: version,
    created_at: new Date(clock.now()).toISOString(),
    migrations,
    tables: {},
    jobs: { file: 'jobs.copy', columns: jobColumns, rows: 0, bytes: 0, sha256: '' },
    sequences: {},
  }
}

async function* filesOf(
  session: Session,
  manifest: Manifest,
  {
    secret,
    fileStore,
    withFiles,
    onProgress,
  }: Pick<BackupOptions, 'secret' | 'fileStore' | 'withFiles'> & { onProgress: OnProgress },
): AsyncGenerator<ArchivedFile, void, undefined> {
  const tables = await findTables(session)
  const [sizes] = await session.query<{ files: number; pictures: number }>(
    `select (select coalesce(sum(size), 0)::float8 from files where item_id is not null and blocked is distinct from 2) as files,
       (select coalesce(sum(size), 0)::float8 from images) as pictures`,
  )
  const total = tables.reduce((sum, { size }) => sum + size, sizes!.pictures + (withFiles ? sizes!.files : 0))
  let done = 0
  const pictures = filesOfBackup(session, 'pictures', fileStore)
  manifest.pictures = pictures.list
  // These come first: the bytes of a picture that is replaced are deleted within a minute.
  yield* pictures.entries((bytes) => onProgress('pictures', (done += bytes), total))
  for (const { name, columns, size } of tables) {
    const rows: Rows = { file: `tables/${name}.copy`, columns, rows: 0, bytes: 0, sha256: '' }
    // Rows take more room on disk than in the copy, so this is about right, and never more than the
    // total.
    const onBytes = (bytes: number) => onProgress(name, done + Math.min(size, bytes), total)
    const sql = `copy (select ${quoted(columns)} from ${quoted([name])}) to stdout`
    yield { name: rows.file, content: copied(session, sql, rows, onBytes) }
    manifest.tables[name] = rows
    done += size
  }
  yield {
    name: manifest.jobs.file,
    content: copied(session, `copy (${waitingJobs}) to stdout`, manifest.jobs),
  }
  const messageFiles = filesOfBackup(session, 'files', withFiles ? fileStore : undefined)
  manifest.files = messageFiles.list
  yield* messageFiles.entries((bytes) => onProgress('files', (done += bytes), total))
  // This comes after the rows: a sequence is not part of a transaction, and never behind the ids of any row.
  for (const name of await findSequences(session)) {
    const [at] = await session.query<{ next: string }>(
      `select case when is_called then last_value + 1 else last_value end as next from ${quoted([name])}`,
    )
    manifest.sequences[name] = Number(at!.next)
  }
  if (secret !== undefined) {
    manifest.secret = { file: 'jwt-secret', bytes: Buffer.byteLength(secret), sha256: sha256(secret) }
    yield { name: manifest.secret.file, content: textOf(secret) }
  }
  const json = `${JSON.stringify(manifest, undefined, 2)}\n`
  yield { name: manifestFile, content: textOf(json) }
  const sums = [...contentsOf(manifest), { file: manifestFile, sha256: sha256(json) }]
  yield { name: checksumsFile, content: sumsOf(sums, pictures.contents(), messageFiles.contents()) }
}

type Sum = Pick<Content, 'file' | 'sha256'>

async function* sumsOf(...lists: (Sum[] | AsyncIterable<Sum>)[]): AsyncGenerator<string, void, undefined> {
  for (const list of lists) for await (const { file, sha256: sum } of list) yield `${sum}  ${file}\n`
}

/** Yields the output of COPY; fills in `content` on the way. */
async function* copied(
  { client }: Session,
  sql: string,
  content: Content & { rows: number },
  onBytes: (bytes: number) => void = () => {},
): AsyncGenerator<Buffer, void, undefined> {
  const hash = createHash('sha256')
  const copy = client.query(copyTo(sql))
  for await (const chunk of copy as AsyncIterable<Buffer>) {
    hash.update(chunk)
    content.bytes += chunk.length
    onBytes(content.bytes)
    yield chunk
  }
  content.rows = copy.rowCount
  content.sha256 = hash.digest('hex')
}

async function* textOf(text: string): AsyncGenerator<string, void, undefined> {
  yield text
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
