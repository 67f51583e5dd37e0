// This module finds the unread posts of a wallet in a chat, for a push about it; and stores what a
// wallet has chosen for a chat.

import type { AnnouncingChat } from '@parley/sdk/contract/announcements.ts'
import type { FileItem } from '@parley/sdk/contract/files.ts'
import { mentions } from '@parley/sdk/mentions.ts'
import type { ChatNotifications, NotificationRules } from '@parley/sdk/contract/notification-rules.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/pool.ts'
import { keyOf, ofWallet } from '../../db/own-rows.ts'
import { day } from '../../lib/times.ts'
import { mutedUntil, nameOf, unreadInChat } from '../../messages/shared-sql.ts'
import { chatPath } from '../../messages/chat-path.ts'
import { chatTitle, joinedTitle, joinRoom, shortTitle } from '../../messages/chat-title.ts'
import { chatBucket, inOrder, pairBucket } from '../../values/bucket.ts'
import { shortAddress } from '../../values/short-address.ts'
import type { ChatFacts } from '../../messages/notification-policy.ts'
import { type Format, previewOf, type Push, type Secret, tagOf } from './push-content.ts'

/** The number of newest posts that are searched for a mention of the wallet. */
const mostPosts = 50

interface Post {
  id: number
  fromaddr: string
  message: string
  files: FileItem[] | null
  ms: number
  name: string
}

export interface UnreadChat extends ChatFacts {
  nftaddr: string
  title: string
  isCommunity: boolean
  /** The push is about this post: the newest one that mentions the wallet, else the newest one. */
  post: Post | undefined
  /** The id of the newest one, and of the newest that mentions the wallet; 0 when there is none. */
  newest: number
  newestMention: number
}

/** Returns what a wallet has unread in a chat; undefined where it never was. */
export async function findUnreadChat(
  { db, gate }: Pick<Context, 'db' | 'gate'>,
  wallet: string,
  chat: string,
): Promise<UnreadChat | undefined> {
  const bucket = chatBucket(chat)
  const [visit] = await db.query<Visit>(visitOf, [bucket, chat, wallet])
  if (!visit) return undefined
  const [own] = await db.query<{ muted: boolean; name: string }>(
    `select coalesce((select ${mutedUntil('b', '$2', '$1')} from bookmarks b where ${ofWallet} and chat = $3), 0) > $4 as muted,
       ${nameOf('$2')} as name`,
    keyOf(wallet, chat, db.now()),
  )
  const posts = visit.unread > 0 ? await findPosts(db, wallet, chat, visit.seen_id) : []
  const mention = posts.find(({ message }) => mentions(message, { address: wallet, name: own!.name }))
  const post = mention ?? posts[0]
  return {
    about: 'chat',
    ...own!,
    joined: visit.joined,
    everyPost: visit.tell_all,
    // Posts of wallets that it has blocked are left out.
    blocked: false,
    nftaddr: visit.nftaddr,
    title: visit.title,
    isCommunity: visit.context_type === 'community',
    closed: post !== undefined && (await gate.closedTo(wallet, [chat])).length > 0,
    unread: post ? Math.max(visit.unread, 1) : 0,
    mentioned: mention !== undefined,
    post,
    newest: posts[0]?.id ?? 0,
    newestMention: mention?.id ?? 0,
  }
}

interface Visit {
  joined: boolean
  tell_all: boolean
  seen_id: number
  nftaddr: string
  title: string
  context_type: string
  unread: number
}

const visitOf = `
  select v.joined, v.tell_all, v.seen_id, c.nftaddr, ${chatTitle('$1')} as title, c.context_type, ${unreadInChat} as unread
  from group_visits v join group_chats c on c.bucket = v.bucket and c.chat = v.chat
  where v.bucket = $1 and v.chat = $2 and v.walletaddr = $3`

/** Returns the newest unread posts of the last day, without those of wallets that the wallet has blocked. */
async function findPosts(db: Db, wallet: string, chat: string, seen: number): Promise<Post[]> {
  const posts = await db.query<Post>(
    `select m.id, m.fromaddr, left(m.message, 4096) as message, m.files, m.ms, ${nameOf('m.fromaddr')} as name from group_messages m
     where m.bucket = $1 and m.chat = $2 and m.id > $3 and m.fromaddr <> $4 and m.removed_by is null and m.ms > $5
     order by m.bucket desc, m.chat desc, m.id desc limit ${mostPosts}`,
    [chatBucket(chat), chat, seen, wallet, db.now() - day],
  )
  const authors = [...new Set(posts.map(({ fromaddr }) => fromaddr))]
  const pairs = authors.map((author) => {
    const [a, b] = inOrder(wallet, author)
    return { bucket: pairBucket(wallet, author), a, b }
  })
  if (pairs.length === 0) return []
  const blocked = await db.query<{ peer: string }>(
    `select case when c.a = $2 then c.b else c.a end as peer from conversations c
     join json_to_recordset($1::json) as p (bucket integer, a text, b text) on p.bucket = c.bucket and p.a = c.a and p.b = c.b
     where case when c.a = $2 then c.blocked_a else c.blocked_b end`,
    [JSON.stringify(pairs), wallet],
  )
  const hidden = new Set(blocked.map(({ peer }) => peer))
  return posts.filter(({ fromaddr }) => !hidden.has(fromaddr))
}

/** Writes the push about what is unread in a chat. */
export function chatPush(
  config: Secret & Format,
  wallet: string,
  chat: string,
  { nftaddr, title, isCommunity, unread, mentioned, post }: UnreadChat,
  preview: NotificationRules['preview'],
  badge: number,
): Push {
  const who = post!.name || shortAddress(post!.fromaddr)
  const many = unread === 1 ? 'New message' : `${unread} new messages`
  const text = previewOf(config, post!.message, post!.files)
  const news = mentioned ? `${who} mentions you` : `${who}: ${many}`
  return {
    v: 1,
    kind: mentioned ? 'mention' : 'chat',
    title: preview === 'none' ? 'Parley' : shortTitle({ title, isCommunity }),
    body: preview === 'none' ? many : preview === 'text' ? `${who}: ${text}` : news,
    tag: tagOf(config, [wallet, 'chat', chat].join(' ')),
    url: chatPath({ nftaddr, isCommunity }),
    badge,
    at: post!.ms,
  }
}

const choice = `case when tell_all then 'all' else 'mentions' end as tell, announcements`

/** Returns what a wallet has chosen for a chat; undefined where it has not joined it. */
export async function getChatChoice(
  db: Db,
  wallet: string,
  chat: string,
): Promise<ChatNotifications | undefined> {
  const [visit] = await db.query<ChatNotifications>(
    `select ${choice} from group_visits where bucket = $1 and chat = $2 and walletaddr = $3 and joined`,
    [chatBucket(chat), chat, wallet],
  )
  return visit
}

/** Stores it, and returns it as it is now. */
export async function setChatChoice(
  db: Db,
  wallet: string,
  chat: string,
  { tell, announcements }: ChatNotifications,
): Promise<ChatNotifications | undefined> {
  const [visit] = await db.query<ChatNotifications>(
    `update group_visits set tell_all = $4, announcements = coalesce($5, announcements)
     where bucket = $1 and chat = $2 and walletaddr = $3 and joined returning ${choice}`,
    [chatBucket(chat), chat, wallet, tell === 'all', announcements ?? null],
  )
  return visit
}

/** Returns the next chats to whose announcements a wallet has agreed, by their keys. */
export const findAnnouncingChats = (
  db: Db,
  wallet: string,
  { after = '', limit }: { after?: string; limit: number },
): Promise<AnnouncingChat[]> =>
  db.query<AnnouncingChat>(
    `select c.nftaddr, ${joinedTitle} as title, c.context_type
     from group_visits v join group_chats c on c.bucket = v.bucket and c.chat = v.chat ${joinRoom}
     where v.walletaddr = $1 and v.joined and v.announcements and v.chat > $2 order by v.chat limit $3`,
    [wallet, after, limit],
  )

/** Ends the announcements of a chat for a wallet, by a link. */
export const stopAnnouncements = (db: Db, wallet: string, chat: string) =>
  db.query(
    'update group_visits set announcements = false where bucket = $1 and chat = $2 and walletaddr = $3 and announcements',
    [chatBucket(chat), chat, wallet],
  )
