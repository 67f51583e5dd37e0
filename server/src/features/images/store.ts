import type { Image } from '@parley/sdk/contract/images.ts'
import type { Publishing } from '../../auth/publishing.ts'
import type { Context } from '../../context.ts'
import { JsonList, pageOf } from '../../db/pages.ts'
import type { Db } from '../../db/pool.ts'
import { keyOf, ofOwner } from '../../db/own-rows.ts'
import type { FileStore } from '../../files/store.ts'
import { keepUnseen } from '../../messages/unseen.ts'
import { chatBucket } from '../../values/bucket.ts'
import { readPicture, type Stored, warnOfMissing } from './bytes.ts'

export interface Picture extends Omit<Image, 'id'>, Stored {
  prefix: string
  sha256: Buffer
  /** Pages show this one. */
  shown: string
  /** Lists show this one. */
  thumbnail: string
}

/**
 * Stores a picture in place of the one that is there. Its file is not needed when the author is muted unseen: then its bytes are in
 * the row of what that wallet alone sees.
 */
export async function upsertImage(
  db: Db,
  publishing: Publishing,
  author: string,
  { addr, base64data, prefix, file, part, size, sha256, shown, thumbnail }: Picture,
): Promise<{ image: Image; isFileNeeded: boolean }> {
  const value = { base64data, shown }
  const unseen = await keepUnseen(db, publishing, author, { kind: 'picture', about: addr, value })
  if (unseen !== undefined) return { image: { id: unseen, addr, base64data }, isFileNeeded: false }
  const [stored] = await db.query<{ id: number }>(
    'select set_image_v1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) as id',
    [db.now(), ...keyOf(addr), prefix, file, part, size, sha256, shown, thumbnail],
  )
  return { image: { id: stored!.id, addr, base64data }, isFileNeeded: true }
}

export const deleteImage = (db: Db, addr: string) =>
  db.query('select delete_image_v1($1, $2) as deleted', keyOf(addr))

/** Returns the owners of an address's picture: the address itself, else the community of that name in any case. */
const owners = (addr: string): string[] => [...new Set([addr, addr.toLowerCase()])]

/** Returns the picture as pages show it. */
export async function findShown(db: Db, addr: string): Promise<Image[]> {
  for (const owner of owners(addr)) {
    const found = await db.query<Image>(
      `select id, addr, shown as base64data from images where ${ofOwner('addr')}`,
      keyOf(owner),
    )
    if (found.length > 0) return found
  }
  return []
}

interface Row extends Stored, Pick<Image, 'id' | 'addr'> {
  prefix: string
  shown: string
}

const findRow = async (db: Pick<Db, 'query'>, owner: string): Promise<Row | undefined> =>
  (
    await db.query<Row>(
      `select id, addr, prefix, file, part, size, shown from images where ${ofOwner('addr')}`,
      keyOf(owner),
    )
  )[0]

/** A picture with its bytes; what the service has drawn where they are missing. */
export type Found = Row & { bytes: Buffer | undefined }

/** Returns the picture of an owner with its bytes. */
export async function findPicture(
  db: Pick<Db, 'query'>,
  fileStore: FileStore,
  owner: string,
): Promise<Found | undefined> {
  let row = await findRow(db, owner)
  for (let file = ''; row && row.file !== file; row = await findRow(db, owner)) {
    const bytes = await readPicture(fileStore, row)
    if (bytes) return { ...row, bytes }
    // Another picture may have replaced it meanwhile: then that one is read.
    file = row.file
  }
  return row && { ...row, bytes: undefined }
}

/** Returns the picture as it was sent: a megabyte or more, so it waits for its turn as long reads do, and is not parsed. */
export const findImages = (
  { fileStore, log }: Pick<Context, 'fileStore' | 'log'>,
  addr: string,
): JsonList<Image> =>
  new JsonList(async function* (long) {
    for (const owner of owners(addr)) {
      const found = await findPicture(long, fileStore, owner)
      if (!found) continue
      if (!found.bytes) warnOfMissing(log)
      yield asSent(found)
      return
    }
  })

/** Makes the JSON of a picture. Neither its prefix nor its base64 needs to be escaped. */
function asSent({ id, addr, prefix, bytes, shown }: Found): Buffer {
  if (!bytes) return pageOf([{ id, addr, base64data: shown }])
  const before = JSON.stringify({ id, addr, base64data: prefix }).slice(0, -2)
  return Buffer.from(`${before}${bytes.toString('base64')}"}`)
}

export async function findCreator(db: Db, slug: string): Promise<string | undefined> {
  const [community] = await db.query<{ creator: string }>(
    'select creator from communities where bucket = $1 and chat = $2',
    [chatBucket(slug), slug],
  )
  return community?.creator
}
