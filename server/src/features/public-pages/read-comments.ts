// Reads the comments on an NFT for a public page: they are public, with the names of their authors.

import type { Db } from '../../db/pool.ts'
import { isCut, nameOf, previewOf } from '../../messages/shared-sql.ts'
import { tokenBucket } from '../../values/bucket.ts'
import { shortAddress } from '../../values/short-address.ts'
import { mostOfPlace, mostOnPage, type PublicPage } from './read-page.ts'

interface Row {
  id: number
  ms: number
  fromaddr: string
  message: string
  cut: boolean
  name: string
}

const statement = `
  select m.id, m.ms, m.fromaddr, ${previewOf('m.message')} as message, ${isCut('m.message')} as cut, ${nameOf('m.fromaddr')} as name
  from comment_threads t cross join lateral (
    select * from (
      select id, ms, fromaddr, message from comments where bucket = $1 and thread_id = t.id and not withheld
      order by bucket desc, thread_id desc, id desc limit ${mostOfPlace}
    ) newest where id < $4 order by id desc limit ${mostOnPage + 1}
  ) m
  where t.bucket = $1 and t.nftaddr = $2 and t.nftid = $3::numeric order by m.id`

/** Returns comments before an id; undefined for an NFT without any. */
export async function readComments(
  db: Db,
  { nftaddr, nftid }: { nftaddr: string; nftid: string },
  before = Number.MAX_SAFE_INTEGER,
): Promise<PublicPage | undefined> {
  const rows = await db.query<Row>(statement, [tokenBucket(nftaddr, nftid), nftaddr, nftid, before])
  if (rows.length === 0) return undefined
  const hasOlder = rows.length > mostOnPage
  return {
    kind: 'comments',
    title: `Comments on ${shortAddress(nftaddr)} #${nftid.length > 12 ? `${nftid.slice(0, 6)}…${nftid.slice(-4)}` : nftid}`,
    messages: rows.slice(hasOlder ? 1 : 0).map(({ id, ms, fromaddr, message, cut, name }) => ({
      id,
      ms,
      author: { name: name || shortAddress(fromaddr) },
      text: message,
      cut,
      edited: false,
      files: 0,
      answers: undefined,
    })),
    hasOlder,
    since: 0,
    searched: false,
    rooms: [],
  }
}
