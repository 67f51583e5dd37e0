// These commands protect and move the data: backup, verify, restore, recovered, check, partition, distribute.

import { mkdir, stat } from 'node:fs/promises'
import path from 'node:path'
import project from '../../package.json' with { type: 'json' }
import { type FileList, type Manifest, openArchive } from '../backup/archive.ts'
import { backUp } from '../backup/backup.ts'
import { moveOnAfterRecovery } from '../backup/move-on.ts'
import * as backup from '../backup/restore.ts'
import { prepareSecret, requireSecret } from '../backup/secret-file.ts'
import { check as checkDatabase } from '../check/check.ts'
import type { Config } from '../config/settings.ts'
import { cutTables } from '../db/cut.ts'
import { distribute as moveOntoCluster } from '../cluster/distribute/distribute.ts'
import { fillCopies } from '../cluster/copies-upkeep.ts'
import { bytes, secondsSince } from '../lib/amounts.ts'
import { openFileStore } from '../files/open.ts'
import { showProgress } from '../lib/progress.ts'
import { filesIn, filesRestored } from './files-of-backup.ts'
import { given, openExisting, openNew } from './database.ts'
import { confirm, type Result } from './terminal.ts'

interface Secret {
  withSecret?: boolean
}

export async function backUpInto(
  config: Config,
  { to, withSecret, withFiles }: Secret & { to?: string; withFiles?: boolean },
): Promise<Result> {
  const file = fromHere(to ?? `parley-${new Date().toISOString().replace(/[:.]/g, '-')}.zip`)
  await mkdir(path.dirname(file), { recursive: true })
  const secret = withSecret ? await requireSecret(config) : undefined
  await using database = await openExisting(config)
  using bar = showProgress()
  const began = performance.now()
  const manifest = await backUp({
    databaseUrl: database.url,
    version: project.version,
    to: file,
    secret,
    fileStore: await openFileStore(config),
    withFiles,
    signal: stopSignal(),
    onProgress: bar.onProgress,
  })
  const { size } = await stat(file)
  const sum = summaryOf(manifest, began)
  return {
    text: `${file}\n${sum.text}, ${bytes(size)} on disk\n${filesIn(manifest)}`,
    data: { file, size, ...sum.data },
  }
}

export async function verify(name: string): Promise<Result> {
  const file = fromHere(name)
  using bar = showProgress()
  const began = performance.now()
  const manifest = await backup.verify(file, bar.onProgress)
  const sum = summaryOf(manifest, began)
  return {
    text: `${file} is whole: the data as of ${manifest.created_at}\n${sum.text}\n${filesIn(manifest)}`,
    data: { file, ...sum.data },
  }
}

export async function restore(config: Config, name: string, { withSecret }: Secret): Promise<Result> {
  const file = fromHere(name)
  // This comes before a database is created for it.
  await (await openArchive(file))[Symbol.asyncDispose]()
  const storeSecret = withSecret ? await prepareSecret(config, file) : async () => {}
  await using database = await openNew(config)
  using bar = showProgress()
  const began = performance.now()
  const missing: string[] = []
  const manifest = await backup.restore({
    databaseUrl: database.url,
    file,
    fileStore: await openFileStore(config),
    onMissing: (id) => void missing.push(id),
    onProgress: bar.onProgress,
  })
  await storeSecret()
  const sum = summaryOf(manifest, began)
  const restored = `Restored the data as of ${manifest.created_at}.`
  const { text, data } = await filesRestored(config, manifest, missing)
  return { text: `${restored} ${text}\n${sum.text}`, data: { file, ...sum.data, ...data } }
}

export async function recovered(config: Config): Promise<Result> {
  await using database = await openExisting(config)
  await moveOnAfterRecovery(database.url)
  return {
    text: 'New ids are far above the restored ones, and clients will read everything again. Start the service now.',
    data: {},
  }
}

export async function check(config: Config): Promise<Result> {
  await using database = await openExisting(config)
  using bar = showProgress()
  const began = performance.now()
  const rows: { row: string; wrong: string[] }[] = []
  const { tables, faults } = await checkDatabase({
    databaseUrl: database.url,
    fileStore: await openFileStore(config),
    onProgress: bar.onProgress,
    onFault: (fault) => void rows.push(fault),
  })
  const result =
    faults === 0 ? 'nothing is wrong' : faults === 1 ? '1 row is wrong' : `${faults} rows are wrong`
  return {
    text: [
      ...rows.map(({ row, wrong }) => `${row}: ${wrong.join('; ')}`),
      `${tables} tables checked in ${secondsSince(began)} s: ${result}`,
    ].join('\n'),
    data: { tables, faults, rows },
    hasFaults: faults > 0,
  }
}

export async function partition(config: Config): Promise<Result> {
  await using database = await openExisting(config)
  const done = await cutTables({ databaseUrl: database.url, log: console.error, signal: stopSignal() })
  return { text: done.join('\n'), data: { done } }
}

/** A rehearsal is a dry run with the address of a copy: that one is moved. */
export async function distribute(
  config: Config,
  copy: string | undefined,
  { dryRun = false, yes }: { dryRun?: boolean; yes?: boolean },
): Promise<Result> {
  if (copy !== undefined && (!dryRun || copy === config.databaseUrl))
    throw new Error(
      'Only --dry-run takes the address of a database: a restored copy, not that of the service.',
    )
  if (config.readDatabaseUrl !== undefined)
    throw new Error('A cluster has no standby to read from: unset READ_DATABASE_URL on all instances first.')
  if (!dryRun) await confirm('Every request is answered with 503 until the database has moved.', yes)
  await using database = copy === undefined ? await openExisting(config) : given(copy)
  using bar = showProgress()
  const text = await moveOntoCluster({
    databaseUrl: database.url,
    fillCopies,
    dryRun: dryRun && copy === undefined,
    log: console.error,
    onProgress: bar.onProgress,
    signal: stopSignal(),
  })
  return { text, data: { message: text } }
}

/** The signal is aborted when the command must end; it then undoes what it has begun. */
function stopSignal(): AbortSignal {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => stop.abort(new Error('Stopped. Nothing is changed.')))
  return stop.signal
}

/** Paths are relative to the folder in which npm was started. */
const fromHere = (file: string): string => path.resolve(process.env.INIT_CWD ?? '.', file)

const inArchive = ({ files, size, stored }: FileList) => ({ all: files, bytes: size, in_archive: stored })

function summaryOf({ tables, created_at, files, pictures }: Manifest, began: number) {
  const all = Object.values(tables)
  const sum = (of: 'rows' | 'bytes') => all.reduce((total, table) => total + table[of], 0)
  const seconds = secondsSince(began)
  return {
    text: `${all.length} tables, ${sum('rows')} rows, ${bytes(sum('bytes'))} in ${seconds} s`,
    data: {
      created_at,
      tables: all.length,
      rows: sum('rows'),
      bytes: sum('bytes'),
      seconds: Number(seconds),
      ...(files && { files: inArchive(files) }),
      ...(pictures && { pictures: inArchive(pictures) }),
    },
  }
}
