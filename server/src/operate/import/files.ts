// Files of an export go into the store of the service, part by part as an upload does. Their types are recognised by their bytes.

import { randomBytes } from 'node:crypto'
import { filePartBytes } from '@parley/sdk/contract/files.ts'
import { keyOf } from '../../db/own-rows.ts'
import type { Db } from '../../db/pool.ts'
import { inspect } from '../../features/files/inspect.ts'
import { newFileId } from '../../files/ids.ts'
import type { FileStore } from '../../files/store.ts'
import { isBlockedFile } from '../../messages/blocked-files.ts'
import type { Attachment } from './records.ts'
import type { Tree } from './tree.ts'

/** A file whose bytes are in the store already. */
export interface StoredBytes {
  id: string
  size: number
  parts: string[]
  part_ends: number[]
  sha256: string
  type: string | undefined
  name: string
  unscanned: boolean
}

interface Options {
  db: Db
  tree: Tree
  fileStore: FileStore
  hasScanner: boolean
  /** The largest file, in bytes. */
  fileSize: number
}

/** Stores the bytes of a file; undefined where an operator has blocked them, or the file is not what its list said. */
export async function storeBytes(
  { db, tree, fileStore, hasScanner, fileSize }: Options,
  bucket: number,
  { path, name }: Attachment,
): Promise<StoredBytes | 'file-blocked' | 'file-away' | 'file-large'> {
  const id = newFileId(bucket)
  const [parts, ends]: [string[], number[]] = [[], []]
  let [waiting, size]: [Buffer[], number] = [[], 0]
  const write = async () => {
    const bytes = Buffer.concat(waiting)
    waiting = []
    if (bytes.length === 0) return
    const part = randomBytes(12).toString('base64url')
    await fileStore.write(id, part, bytes, bytes.length)
    parts.push(part)
    ends.push(size)
  }
  let written = 0
  for await (const chunk of (await tree.read(path)) as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > fileSize) break
    waiting.push(chunk)
    written += chunk.length
    if (written >= filePartBytes) {
      await write()
      written = 0
    }
  }
  await write()
  const refuse = async <Why>(why: Why) => {
    await fileStore.delete(id)
    return why
  }
  if (size === 0 || size > fileSize) return refuse(size === 0 ? 'file-away' : 'file-large')
  const { sha256, type } = await inspect(fileStore, { id, parts, sealed: false })
  if (await isBlockedFile(db, sha256)) return refuse('file-blocked')
  return { id, size, parts, part_ends: ends, sha256, type, name, unscanned: hasScanner }
}

/** Stores the rows of files, and counts their bytes for the author. */
export async function insertFile(
  tx: Db,
  { bucket, chat }: { bucket: number; chat: string },
  author: string,
  file: StoredBytes,
): Promise<void> {
  await tx.query(
    `insert into wallet_files as w (wbucket, walletaddr, bytes) values ($1, $2, $3)
     on conflict (wbucket, walletaddr) do update set bytes = w.bytes + excluded.bytes`,
    keyOf(author, file.size),
  )
  await tx.query(
    `insert into files (bucket, id, place, walletaddr, size, have, parts, part_ends, sha256, type, name, created_ms, unscanned)
     values ($1, $2, $3, $4, $5, $5, $6, $7, decode($8, 'hex'), $9, $10, $11, $12)`,
    [
      bucket,
      file.id,
      chat,
      author,
      file.size,
      file.parts,
      file.part_ends,
      file.sha256,
      file.type ?? null,
      file.name,
      tx.now(),
      file.unscanned,
    ],
  )
}
