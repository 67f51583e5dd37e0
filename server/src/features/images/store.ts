import type { Image } from '@parley/sdk/contract/images.ts'
import type { Db } from '../../db/pool.ts'
import { chatBucket, walletBucket } from '../../values/bucket.ts'

interface Picture extends Omit<Image, 'id'> {
  /** What pages show. */
  shown: string
  /** What lists show. */
  thumbnail: string
}

/** Stores a picture in place of the one that is there. */
export async function upsertImage(db: Db, { addr, base64data, shown, thumbnail }: Picture): Promise<Image> {
  const [stored] = await db.query<{ id: number }>('select set_image_v1($1, $2, $3, $4, $5, $6) as id', [
    db.now(),
    walletBucket(addr),
    addr,
    base64data,
    shown,
    thumbnail,
  ])
  return { id: stored!.id, addr, base64data }
}

export const deleteImage = (db: Db, addr: string) =>
  db.query('select delete_image_v1($1, $2) as deleted', [walletBucket(addr), addr])

/** The picture of an address, else of the community of that name in any case. */
export async function findImages(db: Db, addr: string, form: 'base64data' | 'shown'): Promise<Image[]> {
  const slug = addr.toLowerCase()
  const own = await findImage(db, addr, form)
  return own.length > 0 || slug === addr ? own : findImage(db, slug, form)
}

const findImage = (db: Db, addr: string, form: 'base64data' | 'shown') =>
  db.query<Image>(`select id, addr, ${form} as base64data from images where wbucket = $1 and addr = $2`, [
    walletBucket(addr),
    addr,
  ])

export async function findCreator(db: Db, slug: string): Promise<string | undefined> {
  const [community] = await db.query<{ creator: string }>(
    'select creator from communities where bucket = $1 and chat = $2',
    [chatBucket(slug), slug],
  )
  return community?.creator
}
