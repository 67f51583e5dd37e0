import type { Image } from '@parley/sdk/contract/images.ts'
import type { Db } from '../../db/pool.ts'

/** Stores a picture in place of the one that is there. */
export async function upsertImage(
  db: Db,
  { addr, base64data, thumbnail }: Omit<Image, 'id'> & { thumbnail: string },
): Promise<Image> {
  const [stored] = await db.query<{ id: number }>(
    `insert into images (addr, base64data, thumbnail) values ($1, $2, $3)
     on conflict (addr) do update set base64data = excluded.base64data, thumbnail = excluded.thumbnail
     returning id`,
    [addr, base64data, thumbnail],
  )
  return { id: stored!.id, addr, base64data }
}

/** The picture of an address, else of the community of that name in any case. */
export const findImages = (db: Db, addr: string) =>
  db.query<Image>(
    `select id, addr, base64data from images where addr in ($1, $2) order by addr = $1 desc limit 1`,
    [addr, addr.toLowerCase()],
  )

export async function findCreator(db: Db, slug: string): Promise<string | undefined> {
  const [community] = await db.query<{ creator: string }>(`select creator from communities where chat = $1`, [
    slug,
  ])
  return community?.creator
}
