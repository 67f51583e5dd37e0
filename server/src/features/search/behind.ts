// Finds messages that the index does not have yet, by the indexes of lists.

import type { Db } from '../../db/pool.ts'
import { type ChatGroup, forLayouts } from './chat-groups.ts'

/** The newest messages that the index does not have yet: so many of each kind are read. */
const mostBehind = 200

interface Behind {
  ids: number[]
  /** There are more, which are not read. */
  isCut: boolean
}

const behindDirect = `
  select id from (
    (select id from direct_messages where fromaddr = any(array[$1::text]) and id > $2 and id < $3
     order by fromaddr desc, id desc limit ${mostBehind})
    union all
    (select id from direct_messages where toaddr = any(array[$1::text]) and id > $2 and id < $3
     order by toaddr desc, id desc limit ${mostBehind})
  ) u`

// An event about a message that was edited names it; its new words are not in the index.
const behindEdited = `
  select (event->>'id')::bigint as id from events
  where walletaddr = any($1::text[]) and id > $2 and event->>'type' = 'edited' order by walletaddr, id limit ${mostBehind}`

/** Finds direct messages of a wallet, and edits of them or of posts in chats, that the index does not have yet. */
export async function findBehind(
  db: Db,
  { wallet, isDirect, chats }: { wallet: string; isDirect: boolean; chats: readonly string[] },
  after: number,
  before: number,
): Promise<Behind> {
  const direct = isDirect ? await db.query<{ id: number }>(behindDirect, [wallet, after, before]) : []
  const places = [...(isDirect ? [wallet] : []), ...chats.map((chat) => `chat ${chat}`)]
  const edited = await db.query<{ id: number }>(behindEdited, [places, after])
  return {
    ids: [...direct, ...edited].map(({ id }) => id).filter((id) => id < before),
    isCut: direct.length >= mostBehind || edited.length === mostBehind,
  }
}

const behindPosts = forLayouts(
  ({ given, named, ofChat }) => `
  select r.id from unnest($2::text[]${given}) as u (chat${named}) cross join lateral (
    (select g.id from group_messages g where g.bucket = ${ofChat} and g.chat = u.chat and g.id > $3 and g.id < $4
     order by g.bucket desc, g.chat desc, g.id desc limit ${mostBehind})
    union all
    (select w.id from withheld_posts w where w.bucket = ${ofChat} and w.chat = u.chat and w.fromaddr = $5 and w.id > $3 and w.id < $4
     order by w.bucket desc, w.chat desc, w.fromaddr desc, w.id desc limit ${mostBehind})
  ) r`,
)

/** Finds posts of chats that the index does not have yet. */
export async function findPostsBehind(
  db: Db,
  { bucket, chats, layout }: ChatGroup,
  { wallet, after, before }: { wallet: string; after: number; before: number },
): Promise<Behind> {
  const rows = await db.query<{ id: number }>(behindPosts[layout], [bucket, chats, after, before, wallet])
  return { ids: rows.map(({ id }) => id), isCut: rows.length >= mostBehind }
}

/** Returns the time of the newest message up to an id, in epoch milliseconds. */
export async function timeUpTo(db: Db, id: number): Promise<number> {
  const [row] = await db.query<{ ms: number | null }>(
    `select max(ms) as ms from (
       (select ms from direct_messages where id <= $1 order by id desc limit 1)
       union all
       (select ms from group_messages where id <= $1 order by id desc limit 1)) newest`,
    [id],
  )
  return row!.ms ?? 0
}
