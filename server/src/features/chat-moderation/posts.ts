// This module removes posts, and decides about those that wait. A decision and its row in the log are one transaction.

import type { GroupChatItem } from '@parley/sdk/contract/group-chats.ts'
import type { Publishing } from '../../auth/publishing.ts'
import { type JsonList, list, type PageQuery } from '../../db/pages.ts'
import type { Db } from '../../db/pool.ts'
import { log, type Why } from '../../messages/chat-log.ts'
import { eventJson } from '../../messages/events.ts'
import { type Holds, keepingPost } from '../../messages/holds.ts'
import { groupChatItemIn } from '../../messages/group-message.ts'
import { removePost } from '../../messages/remove-post.ts'
import { chatBucket } from '../../values/bucket.ts'
import { ofChat } from './log.ts'

export interface Post {
  fromaddr: string
  /** The name of the chat as people see it. */
  nftaddr: string
}

/** Returns a message of a chat; undefined when there is none. */
export async function findPost(db: Db, chat: string, id: number): Promise<Post | undefined> {
  const [post] = await db.query<Post>(
    `select m.fromaddr, c.nftaddr from group_messages m join group_chats c on c.bucket = $1 and c.chat = $2
     where m.bucket = $1 and m.chat = $2 and m.id = $3`,
    [...ofChat(chat), id],
  )
  return post
}

interface Removal extends Post {
  chat: string
  id: number
  by: 'author' | 'moderator'
  wallet: string
  why: Why | undefined
}

/** Removes a message, and logs it unless its author does it; returns whether it was there until now. */
export const remove = (db: Db, holds: Holds, { fromaddr: subject, wallet: actor, why, ...post }: Removal) =>
  db.transaction(async (tx) => {
    const { chat, id, by } = post
    const isDone = await removePost(tx, holds, post)
    if (isDone && by === 'moderator')
      await log(tx, { chat, actor, action: 'remove_post', subject, post: id, why })
    return isDone
  })

/** Removes a message that nobody but its author sees; returns the author, undefined when there is none. */
export async function removeWithheld(
  db: Db,
  holds: Holds,
  { chat, id, by, wallet }: Pick<Removal, 'chat' | 'id' | 'by' | 'wallet'>,
): Promise<string | undefined> {
  const [shown] = await db.query<{ nftaddr: string }>(
    'select nftaddr from group_chats where bucket = $1 and chat = $2',
    ofChat(chat),
  )
  if (!shown) return undefined
  const event = eventJson({ type: 'post-removed', id, nftaddr: shown.nftaddr, removed_by: by })
  const [removed] = await keepingPost(db, holds, { chat, id }, (tx) =>
    tx.query<{ fromaddr: string }>('select fromaddr from remove_withheld_v1($1, $2, $3, $4, $5, $6, $7)', [
      tx.now(),
      ...ofChat(chat),
      id,
      by,
      wallet,
      event,
    ]),
  )
  return removed?.fromaddr
}

/** Returns the posts of a chat that wait for a moderator, oldest first. */
export const findHeld = (db: Db, chat: string, query: PageQuery): JsonList<GroupChatItem> =>
  heldPosts(db, { bucket: chatBucket(chat), chat }, { limit: 100, ...query })

const heldPosts = list<GroupChatItem, 'bucket' | 'chat'>({
  types: { bucket: 'integer', chat: 'text' },
  rows: (direction) => `
    select m.*, c.nftaddr, c.context_type from group_chats c cross join lateral (
      select id, fromaddr, message, ms, removed_by, marks, reply_to, rev, edited_ms, files from withheld_posts
      where bucket = :bucket and chat = c.chat and held and id > :after and id < :before
      order by bucket ${direction}, chat ${direction}, id ${direction} limit :limit
    ) m where c.bucket = :bucket and c.chat = :chat`,
  item: groupChatItemIn('m'),
  texts: ['m.message'],
})

/** Returns a post that waits for a moderator; undefined when there is none. */
export async function getHeld(
  db: Db,
  chat: string,
  id: number,
): Promise<(Post & { message: string }) | undefined> {
  const [held] = await db.query<Post & { message: string }>(
    `select m.fromaddr, c.nftaddr, m.message from withheld_posts m join group_chats c on c.bucket = $1 and c.chat = $2
     where m.bucket = $1 and m.chat = $2 and m.held and m.id = $3`,
    [...ofChat(chat), id],
  )
  return held
}

type Decided = 'none' | 'too-fast' | 'done'

interface Decision {
  chat: string
  id: number
  actor: string
  why: Why | undefined
}

/** Shows a post that waits to all, or with `withheld` to its author alone. */
export const approve = (
  db: Db,
  { chat, id, actor, why }: Decision,
  { isUnseen: withheld }: Publishing,
): Promise<Decided> =>
  db.transaction(async (tx) => {
    const [posted] = await tx.query<{ fromaddr: string; id: number | null; refused: string | null }>(
      'select fromaddr, id, refused from approve_post_v1($1, $2, $3, $4, $5)',
      [tx.now(), ...ofChat(chat), id, withheld],
    )
    if (!posted) return 'none'
    if (posted.id === null) return 'too-fast'
    const { fromaddr: subject, id: post } = posted
    await log(tx, { chat, actor, action: 'approve_post', subject, post, why })
    return 'done'
  })

/** Removes a post that waits, as its author may do at the same time. */
export const reject = (db: Db, holds: Holds, { chat, id, actor, why }: Decision): Promise<Decided> =>
  db.transaction(async (tx) => {
    const subject = await removeWithheld(tx, holds, { chat, id, by: 'moderator', wallet: actor })
    if (subject === undefined) return 'none'
    await log(tx, { chat, actor, action: 'reject_post', subject, post: id, why })
    return 'done'
  })
