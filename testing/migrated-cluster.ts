// This is a database with the tables of the service, made once in a process. Its files are copied, because creating and migrating
// another one takes seconds.

import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { startEmbedded } from '../server/src/db/embedded/start.ts'
import { migrateAll } from '../server/src/jobs/migrate.ts'
import { newFolder } from './folder.ts'
import { leash } from './leash.ts'

let made: Promise<string> | undefined

async function make(): Promise<string> {
  const { path: folder } = await newFolder('migrated')
  // The folder is removed when this process has ended.
  leash(folder)
  await using database = await startEmbedded({ dataDir: folder, log: () => {} })
  await migrateAll(database.url)
  return folder
}

/** Puts such a database into a data directory: as a service leaves it that was stopped. All copies are one system to PostgreSQL. */
export async function copyMigrated(dataDir: string): Promise<void> {
  made ??= make()
  const files = path.join(await made, 'postgres')
  await mkdir(dataDir, { recursive: true })
  await promisify(execFile)('cp', ['-a', files, dataDir])
}
