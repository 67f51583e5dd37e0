// Several hosts with one database need one store of files. Where each has a disk of its own, a file that one has stored is missing
// on the others, and nobody notices until somebody opens it. So each disk has a random id in DATA_DIR/files, and the instances
// write into the database which ones they use.

import { randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Db } from '../db/pool.ts'
import { day, hour } from '../lib/times.ts'

/** A connection that queries the database, of the service or of a command. */
interface Queries {
  query: <Row extends object>(sql: string, values?: unknown[]) => Promise<Row[]>
}

/** Writes that this host uses the disk of DATA_DIR. */
export async function markDisk(db: Pick<Db, 'query' | 'now'>, dataDir: string): Promise<void> {
  await db.query(
    `insert into file_disks (marker, host, seen_ms) values ($1, $2, $3)
     on conflict (marker) do update set host = excluded.host, seen_ms = excluded.seen_ms`,
    [await readMarker(dataDir), hostname().slice(0, 255), db.now()],
  )
}

/** Returns the hosts whose disks were in use within the last hour. */
export async function findDisks({ query }: Queries, now: number): Promise<string[]> {
  const rows = await query<{ host: string }>(
    'select host from file_disks where seen_ms > $1 order by host, marker limit 100',
    [now - hour],
  )
  return rows.map(({ host }) => host)
}

/** Returns a sentence for the operator when the hosts have disks of their own; undefined for one disk. */
export const severalDisks = (hosts: string[]): string | undefined =>
  hosts.length < 2
    ? undefined
    : `In the last hour files were stored on ${hosts.length} disks, of ${hosts.join(', ')}: a file on one of them is missing on the others. Give all instances one DATA_DIR/files on a disk that they share, with the files of all of them in it, or set S3_URL.`

/** Deletes disks that nobody has used for a day. */
export const deleteOldDisks = (db: Db) =>
  db.query('delete from file_disks where seen_ms < $1', [db.now() - day])

/** Returns the id of the disk. Of several processes that begin at once, one makes it: a link is made as a whole or not at all. */
async function readMarker(dataDir: string): Promise<string> {
  const folder = join(dataDir, 'files')
  const path = join(folder, 'disk-id')
  const read = () => readFile(path, 'utf8').catch(() => undefined)
  const found = await read()
  if (found) return found.trim()
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const draft = join(folder, `disk-id-${randomUUID()}`)
  await writeFile(draft, `${randomUUID()}\n`, { mode: 0o600 })
  await link(draft, path).catch(() => {})
  await rm(draft)
  const made = await read()
  if (!made) throw new Error(`${path} cannot be made.`)
  return made.trim()
}
