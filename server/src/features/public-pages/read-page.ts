// Reads the messages of a public page in one statement, which also asks whether the chat is open. It returns no address: an author
// is a name that the wallet shows on public pages, or a number.

import { shortAddress } from '../../values/short-address.ts'
import { communityOf } from '../../messages/chat-key.ts'
import { roomTitle } from '../../messages/chat-title.ts'
import { isKeptIn, isOfPresentRoom, isShownNow, type Surroundings } from '../../messages/public-chats.ts'
import { isCut, nameOf, previewOf } from '../../messages/shared-sql.ts'
import { chatBucket } from '../../values/bucket.ts'
import { withoutMentions } from './mentions.ts'

/** A page has at most this many messages, of the newest ones of its place. */
export const mostOnPage = 50
export const mostOfPlace = 1000

/** Who has written a message: a name that the wallet shows here, or which of the members of the page without one. */
export type Author = { name: string } | { member: number }

export interface PublicMessage {
  id: number
  ms: number
  author: Author
  text: string
  /** The text is longer. */
  cut: boolean
  edited: boolean
  files: number
  /** This is the id of a message of this page that it answers. */
  answers: number | undefined
}

export interface PublicPage {
  kind: 'chat' | 'comments'
  /** People see this name of the chat, or what the comments are on. */
  title: string
  /** Its messages, oldest first. */
  messages: PublicMessage[]
  /** There are messages before these. */
  hasOlder: boolean
  /** Messages are shown from this time on, in milliseconds. */
  since: number
  searched: boolean
  /** These rooms of the community are open too, in their order. */
  rooms: OpenRoom[]
}

interface OpenRoom {
  chat: string
  title: string
}

interface Row {
  from_ms: number
  searched: boolean
  title: string
  /** This is null where there is no message, and so are the other columns of one. */
  id: number | null
  ms: number
  fromaddr: string
  message: string
  cut: boolean
  edited: boolean
  files: number
  reply_to: number | null
  name: string
  is_shown: boolean
}

// The newest messages of a chat are read from the end of its index, and no further than they are needed.
const statement = `
  select p.from_ms, p.searched, coalesce(${roomTitle('r.title', 'k.community')}, k.community) as title, m.id, m.ms, m.fromaddr, ${previewOf('m.message')} as message,
    ${isCut('m.message')} as cut, m.edited_ms is not null as edited, coalesce(jsonb_array_length(m.files), 0) as files, m.reply_to,
    case when m.id is not null then ${nameOf('m.fromaddr')} else '' end as name,
    exists (select 1 as one from public_names n where n.walletaddr = m.fromaddr) as is_shown
  from public_chats p join communities k on k.bucket = $1 and k.chat = $3
  left join rooms r on r.bucket = $1 and r.chat = p.chat
  left join lateral (
    select * from (
      select id, ms, fromaddr, message, edited_ms, files, reply_to, removed_by from group_messages
      where bucket = $1 and chat = p.chat order by bucket desc, chat desc, id desc limit ${mostOfPlace}
    ) newest where ms >= p.from_ms and removed_by is null and id < $4 order by id desc limit ${mostOnPage + 1}
  ) m on true
  where p.bucket = $1 and p.chat = $2 and ${isShownNow('$5')} and ${isOfPresentRoom} order by m.id`

// There are at most as many rows as a community may have rooms.
const openRooms = `
  select r.chat, r.title from rooms r join public_chats p on p.bucket = $1 and p.chat = r.chat
  where r.bucket = $1 and r.parent = $2 and r.archived_ms is null and ${isShownNow('$3')} and ${isOfPresentRoom}
  order by r.position, r.chat`

/**
 * Returns a page of a chat, with messages before an id; undefined when not everybody may read it now. The same is read whether the
 * chat is there or not, so the time says nothing.
 */
export async function readPage(
  { db, ...ctx }: Surroundings,
  chat: string,
  before = Number.MAX_SAFE_INTEGER,
): Promise<PublicPage | undefined> {
  const [bucket, community, now] = [chatBucket(chat), communityOf(chat), db.now()]
  const [rows, rooms] = await Promise.all([
    db.query<Row>(statement, [bucket, chat, community, before, now]),
    db.query<OpenRoom>(openRooms, [bucket, community, now]),
  ])
  const [first] = rows
  if (!first || isKeptIn(ctx, chat)) return undefined
  const hasOlder = rows.length > mostOnPage
  const shown = rows.slice(hasOlder ? 1 : 0).filter(({ id }) => id !== null)
  return {
    kind: 'chat',
    title: first.title,
    messages: messagesOf(shown),
    hasOlder,
    since: first.from_ms,
    searched: first.searched,
    rooms: rooms.filter((room) => room.chat !== chat && !isKeptIn(ctx, room.chat)),
  }
}

function messagesOf(rows: Row[]): PublicMessage[] {
  const ids = new Set(rows.map(({ id }) => id))
  const members = new Map<string, Author>()
  const hidden: string[] = []
  for (const { fromaddr, name, is_shown } of rows) {
    if (members.has(fromaddr)) continue
    if (is_shown) members.set(fromaddr, { name: name || shortAddress(fromaddr) })
    else members.set(fromaddr, { member: hidden.push(name) })
  }
  return rows.map(({ id, ms, fromaddr, message, cut, edited, files, reply_to }) => ({
    id: id!,
    ms,
    author: members.get(fromaddr)!,
    text: withoutMentions(message, hidden),
    cut,
    edited,
    files,
    answers: reply_to !== null && ids.has(reply_to) ? reply_to : undefined,
  }))
}
