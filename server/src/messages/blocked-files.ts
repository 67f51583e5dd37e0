// Files that an operator has blocked by their hash. Nobody reads one (404), also where a message has it; its row stays with the
// message, without bytes. Under a legal hold the bytes stay until that ends. `blocked` of a row is null, or
//
//   1   nobody reads it, and its bytes are still there
//   2   its bytes are deleted, and no longer count for its wallet

import type { BlockedFile } from '@parley/sdk/contract/blocked-files.ts'
import { portions } from '../db/bucket-portions.ts'
import type { Db } from '../db/pool.ts'
import { enqueue } from '../jobs/queue.ts'
import type { Holds } from './holds.ts'
import { append, type Queries } from './operator-log.ts'

/** Returns true when the service takes no file with this hash, in hexadecimal digits. */
export const isBlockedFile = async (db: Db, sha256: string): Promise<boolean> =>
  (await db.query(`select 1 as one from blocked_files where sha256 = decode($1, 'hex')`, [sha256])).length > 0

/** Takes all files with this hash from everybody. An upload that is in progress is refused with its last part. */
export async function takeBlockedFiles(db: Db, sha256: string, holds: Holds): Promise<void> {
  const found = await portions<string>(
    db,
    `select bucket, id as key from files where sha256 = decode($1, 'hex') and not sealed and blocked is null order by bucket, id`,
    [sha256],
  )
  await takeAll(db, found, holds)
}

/** Deletes the bytes of blocked files that are no longer under a legal hold. */
export async function deleteBlockedFiles(db: Db, holds: Holds): Promise<void> {
  const found = await portions<string>(
    db,
    `select bucket, id as key from files where blocked = 1 order by bucket, id limit 10000`,
    [],
  )
  await takeAll(db, found, holds)
}

async function takeAll(db: Db, found: { bucket: number; keys: string[] }[], holds: Holds): Promise<void> {
  for (const { bucket, keys } of found)
    await db.query('select block_files_v1($1, $2::text[], $3::text[]) as taken', [bucket, keys, holds])
}

type Writes = Queries & Pick<Db, 'now'>

// The columns are numbers and texts, for a connection that does not parse them (a command's).
const columns = `id::float8 as id, encode(sha256, 'hex') as sha256, operator, reason, ms::float8 as ms`

type Row = Omit<BlockedFile, 'at'> & { ms: number }
const blockedOf = ({ ms, ...row }: Row): BlockedFile => ({ ...row, at: new Date(ms).toISOString() })

interface Change<Reason> {
  operator: string
  sha256: string
  reason: Reason
}

/** Blocks a hash in a transaction, with its row in the log and a job that takes the files that are there. */
export async function block(
  tx: Writes,
  { operator, sha256, reason }: Change<string>,
): Promise<{ file: BlockedFile; isNew: boolean }> {
  const [added] = await tx.query<Row>(
    `insert into blocked_files (sha256, operator, reason, ms) values (decode($1, 'hex'), $2, $3, $4)
     on conflict (sha256) do nothing returning ${columns}`,
    [sha256, operator, reason, tx.now()],
  )
  if (added) {
    await append(tx, entryOf('block_file', { operator, sha256, reason }))
    await enqueue(tx, 'take-blocked-file', { sha256 })
    return { file: blockedOf(added), isNew: true }
  }
  const [row] = await tx.query<Row>(`select ${columns} from blocked_files where sha256 = decode($1, 'hex')`, [
    sha256,
  ])
  return { file: blockedOf(row!), isNew: false }
}

/** Takes a file again; returns false when it was not blocked. */
export async function unblock(
  tx: Writes,
  { operator, sha256, reason }: Change<string | undefined>,
): Promise<boolean> {
  const gone = await tx.query(
    `delete from blocked_files where sha256 = decode($1, 'hex') returning id::float8 as id`,
    [sha256],
  )
  if (gone.length === 0) return false
  await append(tx, entryOf('unblock_file', { operator, sha256, reason }))
  return true
}

const entryOf = (action: string, { operator, sha256, reason }: Change<string | undefined>) => ({
  operator,
  action,
  subject: '',
  until: null,
  reason: reason === undefined ? sha256 : `${sha256}: ${reason}`,
  reports: [],
  item: null,
})

/** Returns blocked files before an id, the latest first. */
export async function findBlocked(
  db: Queries,
  { limit = 100, before = Number.MAX_SAFE_INTEGER }: { limit?: number; before?: number },
): Promise<BlockedFile[]> {
  const rows = await db.query<Row>(
    `select ${columns} from blocked_files where id < $1 order by id desc limit $2`,
    [before, limit],
  )
  return rows.map(blockedOf)
}
