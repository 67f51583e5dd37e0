// Says which chats everybody may read without signing in: the owner has opened the chat, the notice to its members has passed, no
// rule closes it to some wallets, and no operator has closed it or taken it down. The row of the chat is read each time, so
// closing takes effect at once on every instance.

import { closingOf, type Standing, takedownOf } from '../auth/standing.ts'
import type { Config } from '../config/settings.ts'
import type { Db } from '../db/pool.ts'
import { chatBucket } from '../values/bucket.ts'
import type { Gate } from './gate.ts'

/** This has what decides besides the row of the chat. */
export interface Surroundings {
  db: Db
  config: Pick<Config, 'publicPages'>
  gate: Pick<Gate, 'isForHolders'>
  standing: Pick<Standing, 'sanction'>
}

/** A chat whose owner has opened it. */
export interface OpenedChat {
  /** Pages show messages from this time on, in milliseconds. */
  from_ms: number
  /** Search engines may list its pages. */
  searched: boolean
  /** Only the owner sees that it is open. */
  unseen: boolean
}

/** Returns true where something besides the owner's decision closes a chat to everybody who is not signed in. */
export function isKeptIn({ config, gate, standing }: Omit<Surroundings, 'db'>, chat: string): boolean {
  return (
    !config.publicPages ||
    gate.isForHolders(chat) ||
    takedownOf(standing, chat) !== undefined ||
    closingOf(standing, chat) !== undefined
  )
}

/** Is false for a row `p` of a room that was deleted, also where there is another one `r` of that name since. */
export const isOfPresentRoom = `(strpos(p.chat, '/') = 0 or p.from_ms > r.created_ms)`

/** Returns what the owner of a chat has decided; undefined when it is closed. */
export async function getOpened(db: Db, chat: string): Promise<OpenedChat | undefined> {
  const [row] = await db.query<OpenedChat>(
    `select p.from_ms, p.searched, p.unseen from public_chats p left join rooms r on r.bucket = $1 and r.chat = p.chat
     where p.bucket = $1 and p.chat = $2 and ${isOfPresentRoom}`,
    [chatBucket(chat), chat],
  )
  return row
}

/** Is true for a row `p` of a chat that its pages may show at the time of the parameter `now`. */
export const isShownNow = (now: string) => `p.from_ms <= ${now} and not p.unseen`
