import type { FileItem, FileState } from '@parley/sdk/contract/files.ts'
import { filePartBytes, leastPartBytes } from '@parley/sdk/contract/files.ts'
import { keyOf, ofWallet } from '../../db/own-rows.ts'
import type { Db } from '../../db/pool.ts'
import { bucketOfFile, newFileId } from '../../files/ids.ts'
import type { StoredFile } from '../../files/read.ts'

/** This is a row of a file. */
export interface FileRow extends StoredFile {
  walletaddr: string
  place: string
  item_id: number | null
  have: number
  /** The hash is hexadecimal. */
  sha256: string
  type: string | null
  name: string | null
  sealed: boolean
  described: Description | null
  /** This is 1 or 2 when an operator has blocked its hash (messages/blocked-files.ts). */
  blocked: number | null
  /** It waits for the scanner. */
  unscanned: boolean
}

/** The uploader describes a file that is not sealed with this. */
export type Description = Pick<FileItem, 'width' | 'height' | 'duration' | 'wave' | 'thumbhash' | 'alt'>

const columns = `id, walletaddr, place, item_id, size, have, parts, part_ends, encode(sha256, 'hex') as sha256, type, name, sealed, described, blocked, unscanned`

export const stateOf = ({ id, size, have, type, name, sealed, described }: FileRow): FileState => ({
  id,
  size,
  ...(type !== null && { type }),
  ...(name !== null && { name }),
  ...(sealed && { sealed: true as const }),
  ...described,
  offset: have,
  part: filePartBytes,
  least_part: leastPartBytes(size),
})

interface NewRow {
  place: { bucket: number; place: string }
  wallet: string
  size: number
  sha256: string
  name: string | undefined
  sealed: boolean
  described: Description | undefined
}

/**
 * Counts the bytes of a file for its wallet, and stores its row; undefined when the wallet would have more than `most` bytes. The
 * two lie in different shards: where the second fails, the bytes are given back by the hour (tasks.ts).
 */
export async function insertFile(
  db: Db,
  { place: { bucket, place }, wallet, size, sha256, name, sealed, described }: NewRow,
  most: number,
): Promise<FileRow | undefined> {
  if (size > most) return undefined
  const counted = await db.query(
    `insert into wallet_files as w (wbucket, walletaddr, bytes) values ($1, $2, $3)
     on conflict (wbucket, walletaddr) do update set bytes = w.bytes + excluded.bytes where w.bytes + excluded.bytes <= $4
     returning bytes`,
    keyOf(wallet, size, most),
  )
  if (counted.length === 0) return undefined
  const [row] = await db.query<FileRow>(
    `insert into files (bucket, id, place, walletaddr, size, sha256, name, sealed, described, created_ms)
     values ($1, $2, $3, $4, $5, decode($6, 'hex'), $7, $8, $9, $10) returning ${columns}`,
    [bucket, newFileId(bucket), place, wallet, size, sha256, name, sealed, described, db.now()],
  )
  return row
}

export async function getFile(db: Db, id: string): Promise<FileRow | undefined> {
  const [row] = await db.query<FileRow>(`select ${columns} from files where bucket = $1 and id = $2`, [
    bucketOfFile(id),
    id,
  ])
  return row
}

/** Adds a stored part to a file that still has as many bytes as before; undefined where another request came first. */
export async function addPart(
  db: Db,
  file: FileRow,
  part: { part: string; length: number; type: string | undefined; unscanned: boolean },
): Promise<FileRow | undefined> {
  const [row] = await db.query<FileRow>(
    `update files set have = have + $4, parts = parts || $5::text, part_ends = part_ends || $8::bigint, type = $6, unscanned = $7
     where bucket = $1 and id = $2 and have = $3 and item_id is null returning ${columns}`,
    [
      bucketOfFile(file.id),
      file.id,
      file.have,
      part.length,
      part.part,
      part.type,
      part.unscanned,
      file.have + part.length,
    ],
  )
  return row
}

/** Deletes files of a bucket that no message has, of one wallet or of all; returns their number. Their bytes are deleted later. */
export async function forgetLoose(
  db: Db,
  bucket: number,
  ids: string[],
  { wallet, before = Number.MAX_SAFE_INTEGER }: { wallet?: string; before?: number },
): Promise<number> {
  const [row] = await db.query<{ forgotten: number }>(
    'select forget_loose_files_v1($1, $2::text[], $3, $4) as forgotten',
    [bucket, ids, wallet, before],
  )
  return row!.forgotten
}

export const setScanned = (db: Db, id: string) =>
  db.query('update files set unscanned = false where bucket = $1 and id = $2', [bucketOfFile(id), id])

/** Returns files that wait for the scanner. */
export async function findUnscanned(db: Db): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    'select id from files where unscanned and blocked is null order by bucket, id limit 1000',
  )
  return rows.map(({ id }) => id)
}

/** Returns the chat in which a message waits for a moderator; undefined for any other message. */
export async function findHeldIn(db: Db, bucket: number, id: number): Promise<string | undefined> {
  const [held] = await db.query<{ chat: string }>(
    'select chat from withheld_posts where bucket = $1 and id = $2 and held and removed_by is null',
    [bucket, id],
  )
  return held?.chat
}

/** Gives bytes back to a wallet. */
export const giveBack = (db: Db, wallet: string, bytes: number) =>
  db.query(`update wallet_files set bytes = greatest(0, bytes - $3) where ${ofWallet}`, keyOf(wallet, bytes))
