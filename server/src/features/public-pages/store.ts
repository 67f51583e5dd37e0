// This module stores which chats their owners have opened, and who shows a name on public pages.

import type { Db } from '../../db/pool.ts'
import { communityOf } from '../../messages/chat-key.ts'
import { log } from '../../messages/chat-log.ts'
import { getOpened, type OpenedChat } from '../../messages/public-chats.ts'
import { chatBucket } from '../../values/bucket.ts'

interface Change {
  actor: string
  is_open: boolean
  search_engines?: boolean | undefined
  /** Pages of a chat that is opened now begin at this time, and with the next message. */
  from: number
  unseen: boolean
}

/**
 * Opens or closes a chat, and returns what holds then. The decision and its row in the log of the chat are one transaction; one
 * that changes nothing is not logged.
 */
export const setOpened = (
  db: Db,
  chat: string,
  { actor, is_open, search_engines, from, unseen }: Change,
): Promise<OpenedChat | undefined> =>
  db.transaction(async (tx) => {
    const of = [chatBucket(chat), chat]
    // Two changes at once take turns by the row of the community's owner.
    await tx.query(
      `select walletaddr from chat_roles where bucket = $1 and chat = $2 and role = 'owner' for update`,
      [of[0], communityOf(chat)],
    )
    const before = await getOpened(tx, chat)
    // What a wallet does that is muted unseen changes nothing that others see.
    if (is_open && unseen && before?.unseen === false) return before
    const searched = is_open && (search_engines ?? before?.searched ?? false)
    const isSame = before?.searched === searched && before.unseen === unseen
    if (is_open ? isSame : !before) return before
    const action = !is_open ? 'close_to_public' : before ? 'set_search_engines' : 'open_to_public'
    await log(tx, { chat, actor, action })
    if (!is_open) {
      await tx.query('delete from public_chats where bucket = $1 and chat = $2', of)
      return undefined
    }
    const [known] = await tx.query<{ last_ms: number }>(
      'select last_ms from group_chats where bucket = $1 and chat = $2',
      of,
    )
    const isOpened = !before || before.unseen
    const from_ms = isOpened ? Math.max(from, (known?.last_ms ?? 0) + 1) : before.from_ms
    const [row] = await tx.query<OpenedChat>(
      `insert into public_chats as p (bucket, chat, from_ms, searched, unseen) values ($1, $2, $3, $4, $5)
       on conflict (bucket, chat) do update set
         from_ms = excluded.from_ms, searched = excluded.searched, unseen = excluded.unseen
       returning p.from_ms, p.searched, p.unseen`,
      [...of, from_ms, searched, unseen],
    )
    return row
  })

export async function showsName(db: Db, wallet: string): Promise<boolean> {
  const rows = await db.query('select walletaddr from public_names where walletaddr = $1', [wallet])
  return rows.length > 0
}

export const setShowsName = (db: Db, wallet: string, shows: boolean) =>
  shows
    ? db.query(
        'insert into public_names (walletaddr, since_ms) values ($1, $2) on conflict (walletaddr) do nothing',
        [wallet, db.now()],
      )
    : db.query('delete from public_names where walletaddr = $1', [wallet])
