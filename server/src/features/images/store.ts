import type { Image } from '@parley/sdk/contract/images.ts'
import type { Publishing } from '../../auth/publishing.ts'
import { jsonObject, jsonText } from '../../db/json.ts'
import { JsonList } from '../../db/pages.ts'
import type { Db } from '../../db/pool.ts'
import { keyOf, ofOwner } from '../../db/own-rows.ts'
import { keepUnseen } from '../../messages/unseen.ts'
import { chatBucket } from '../../values/bucket.ts'

export interface Picture extends Omit<Image, 'id'> {
  /** Pages show this one. */
  shown: string
  /** Lists show this one. */
  thumbnail: string
}

/** Stores a picture in place of the one that is there. */
export async function upsertImage(
  db: Db,
  publishing: Publishing,
  author: string,
  { addr, base64data, shown, thumbnail }: Picture,
): Promise<Image> {
  const value = { base64data, shown }
  const unseen = await keepUnseen(db, publishing, author, { kind: 'picture', about: addr, value })
  if (unseen !== undefined) return { id: unseen, addr, base64data }
  const [stored] = await db.query<{ id: number }>('select set_image_v1($1, $2, $3, $4, $5, $6) as id', [
    db.now(),
    ...keyOf(addr),
    base64data,
    shown,
    thumbnail,
  ])
  return { id: stored!.id, addr, base64data }
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

const item = jsonObject('id', jsonText('addr', 'addr'), jsonText('base64data', 'base64data'))

/** Returns the picture as it was sent: a megabyte or more, so it waits for its turn as long reads do, and is not parsed. */
export const findImages = (addr: string): JsonList<Image> =>
  new JsonList(async function* (long) {
    for (const owner of owners(addr)) {
      const [found] = await long.query<{ item: Buffer }>(
        `select ${item} as item from images where ${ofOwner('addr')}`,
        keyOf(owner),
        'bytes',
      )
      if (!found) continue
      yield found.item
      return
    }
  })

export async function findCreator(db: Db, slug: string): Promise<string | undefined> {
  const [community] = await db.query<{ creator: string }>(
    'select creator from communities where bucket = $1 and chat = $2',
    [chatBucket(slug), slug],
  )
  return community?.creator
}
