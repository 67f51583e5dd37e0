// Rooms of a community, as several features need them: which there are, and which a member joins.

import { coalesced } from '../db/coalesce.ts'
import { keyOf } from '../db/own-rows.ts'
import type { Db } from '../db/pool.ts'
import { dayOf } from '../db/clock.ts'
import { chatBucket } from '../values/bucket.ts'
import { communityOf } from './chat-key.ts'
import { eventJson } from './events.ts'

interface Place {
  community: string
  kind: 'text' | 'news' | null
  archived: boolean
}

const findPlaces = coalesced<Place>(
  `select k.community, r.kind, r.archived_ms is not null as archived
   from communities k left join rooms r on r.bucket = $1 and r.chat = $2 where k.bucket = $1 and k.chat = $3`,
  ['integer', 'text', 'text'],
  { atOnce: 32 },
)

/** Returns the community of a chat, and what kind of room the chat is; undefined when there is no such community. */
export const findPlace = async (db: Db, chat: string): Promise<Place | undefined> =>
  (await findPlaces(db, [chatBucket(chat), chat, communityOf(chat)]))[0]

/** SQL: a member joins the room `r`, and has neither joined nor left it; `v` is its visit of the room. */
export const isDue = 'r.by_default and r.archived_ms is null and not coalesce(v.joined or v.has_left, false)'

/** Joins a chat for a wallet: a bookmark, and what lies with the chat. Returns nothing when the wallet has too many bookmarks. */
export function joinChat<Row extends object>(
  db: Db,
  {
    walletaddr,
    chat,
    nftaddr,
    chain,
  }: { walletaddr: string; chat: string; nftaddr: string; chain?: string | undefined },
  most: number,
): Promise<Row[]> {
  return db.query<Row>(
    'select id, walletaddr, nftaddr, chain from join_chat_v1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)',
    [
      db.now(),
      chatBucket(chat),
      chat,
      ...keyOf(walletaddr),
      nftaddr,
      chain ?? null,
      eventJson({ type: 'inbox', change: 'joined', nftaddr }),
      dayOf(db.now()),
      most,
    ],
  )
}

/**
 * Joins the rooms of a community that its members join, for a wallet that has neither joined nor left them: one after the other,
 * at most as many as a community has. A wallet whose bookmarks are at their maximum joins no further ones.
 */
export async function joinDueRooms(
  db: Db,
  walletaddr: string,
  community: string,
  most: number,
): Promise<void> {
  const due = await db.query<{ chat: string; nftaddr: string }>(
    `select r.chat, k.community || substr(r.chat, strpos(r.chat, '/')) as nftaddr
     from rooms r join communities k on k.bucket = $1 and k.chat = r.parent
     left join group_visits v on v.bucket = $1 and v.chat = r.chat and v.walletaddr = $3
     where r.bucket = $1 and r.parent = $2 and ${isDue} order by r.position, r.chat`,
    [chatBucket(community), community, walletaddr],
  )
  for (const room of due) if ((await joinChat(db, { walletaddr, ...room }, most)).length === 0) return
}
