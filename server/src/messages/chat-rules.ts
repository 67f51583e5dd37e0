// Holds what moderators of chats have decided: muted and banned wallets, the time between two posts of a wallet, and the words
// that wait for a moderator. Every instance holds it in memory and reads changes every 1.5 s, so no post and no read needs a
// query for it.

import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { Logger } from 'pino'
import type { Db } from '../db/pool.ts'
import { keepUp } from '../instances/polled-memory.ts'
import { alone, type Siblings } from '../instances/siblings.ts'
import { day } from '../lib/times.ts'
import { chatBucket } from '../values/bucket.ts'
import { communityOf, isRoom } from '../values/chat.ts'
import { roughText } from '../values/rough-text.ts'
import { forever } from './shared-sql.ts'

/** Says which wallets may not read a chat. */
export interface Bans {
  /** Returns true when somebody is banned in a chat, or was recently. */
  guards: (chat: string) => boolean
  /** Returns true when a wallet is banned in a chat, or was recently. */
  concern: (wallet: string) => boolean
  isBanned: (chat: string, wallet: string) => boolean
  /** Throws 403 when the wallet is banned. */
  require: (chat: string, wallet: string) => void
}

/** Says how a post is stored. */
export interface PostRule {
  /** Only its author sees the post until a moderator has reviewed it. */
  held: boolean
  /** The author waits this many milliseconds before the next post. */
  slowMs: number
}

export interface ChatRules extends AsyncDisposable {
  bans: Bans
  /** Returns the rule for a post; throws 403 when its author is muted in the chat. */
  ruleFor: (chat: string, wallet: string, message: string) => Promise<PostRule | undefined>
  /** Reads what this instance has changed, on all processes of this machine at once. */
  refresh: () => Promise<void>
}

interface Restriction {
  muted: number
  banned: number
  reason: string
}

interface Rule {
  slowMs: number
  words: RegExp | undefined
}

interface Row {
  chat: string
  walletaddr: string | null
  muted: number
  banned: number
  reason: string
  slow_seconds: number
  words: string[]
}

// A row may become visible later than its time, and rounds may fail while the database is away.
const recently = 600_000

const changes = `
  select chat, walletaddr, muted_until_ms as muted, banned_until_ms as banned, reason, 0 as slow_seconds, array[]::text[] as words
  from chat_restrictions where ms > $1
  union all
  select chat, null, 0, 0, '', slow_seconds, words from chat_rules where ms > $1`

/** Everything is loaded before this returns, so that no banned wallet gets in. */
export async function openChatRules(
  db: Db,
  log: Logger,
  siblings: Siblings = alone,
  refreshEvery?: number,
): Promise<ChatRules> {
  const restrictions = new Map<string, Map<string, Restriction>>()
  const chatsOf = new Map<string, number>()
  const rules = new Map<string, Rule>()

  function restrict({ chat, walletaddr, muted, banned, reason }: Row & { walletaddr: string }): void {
    const ofChat = restrictions.get(chat) ?? new Map<string, Restriction>()
    const known = ofChat.has(walletaddr)
    if (Math.max(muted, banned) > db.now()) {
      restrictions.set(chat, ofChat.set(walletaddr, { muted, banned, reason }))
      if (!known) chatsOf.set(walletaddr, (chatsOf.get(walletaddr) ?? 0) + 1)
    } else if (known) {
      ofChat.delete(walletaddr)
      const left = chatsOf.get(walletaddr)! - 1
      if (left > 0) chatsOf.set(walletaddr, left)
      else chatsOf.delete(walletaddr)
      if (ofChat.size === 0) restrictions.delete(chat)
    }
  }

  const read = async (since: number) => {
    for (const row of await db.query<Row>(changes, [since]))
      if (row.walletaddr !== null) restrict(row as Row & { walletaddr: string })
      else if (row.slow_seconds > 0 || row.words.length > 0 || isRoom(row.chat))
        rules.set(row.chat, { slowMs: row.slow_seconds * 1000, words: anyOf(row.words) })
      else rules.delete(row.chat)
  }
  await read(0)
  const polling = keepUp(
    'what moderators decide',
    log,
    siblings,
    () => read(db.now() - recently),
    refreshEvery,
  )

  // Who is muted or banned in a community is so in its rooms.
  const restrictionOf = (chat: string, wallet: string) => restrictions.get(communityOf(chat))?.get(wallet)
  const isBanned = (chat: string, wallet: string) => (restrictionOf(chat, wallet)?.banned ?? 0) > db.now()
  return {
    bans: {
      guards: (chat) => restrictions.has(communityOf(chat)),
      concern: (wallet) => chatsOf.has(wallet),
      isBanned,
      require: (chat, wallet) => {
        if (isBanned(chat, wallet))
          throw restricted('banned you from', restrictionOf(chat, wallet)!, 'banned')
      },
    },
    async ruleFor(chat, wallet, message) {
      const own = restrictionOf(chat, wallet)
      if (own && own.muted > db.now()) throw restricted('muted you in', own, 'muted')
      // The words of a community wait in its rooms too; a room may have a slow mode of its own.
      const [rule, ofCommunity] = [rules.get(chat), rules.get(communityOf(chat))]
      if (!(rule ?? ofCommunity) || (await getRole(db, chat, wallet)) !== undefined) return undefined
      const rough = roughText(message)
      const held = [rule, ofCommunity].some((one) => one?.words?.test(rough))
      return { held, slowMs: (rule ?? ofCommunity)!.slowMs }
    },
    async refresh() {
      await polling.refresh()
      await siblings.ask('changed')
    },
    [Symbol.asyncDispose]: () => polling[Symbol.asyncDispose](),
  }
}

function restricted(what: string, restriction: Restriction, kind: 'muted' | 'banned'): ApiError {
  const until = restriction[kind]
  const end = until === forever ? '' : ` until ${new Date(until).toISOString()}`
  const why = restriction.reason === '' ? '' : ` The reason: ${restriction.reason}`
  return new ApiError('forbidden', `A moderator has ${what} this chat${end}.${why}`)
}

export type Role = 'owner' | 'moderator'

/** Returns the role of a wallet in a chat, which is that in the community of a room; undefined for an ordinary wallet. */
export async function getRole(db: Db, chat: string, wallet: string): Promise<Role | undefined> {
  const [row] = await db.query<{ role: Role }>(
    'select role from chat_roles where bucket = $1 and chat = $2 and walletaddr = $3',
    [chatBucket(chat), communityOf(chat), wallet],
  )
  return row?.role
}

/** Finds any of some words between characters that are neither letters nor digits. */
function anyOf(words: string[]): RegExp | undefined {
  const found = words.map((word) => RegExp.escape(roughText(word)))
  return found.length === 0
    ? undefined
    : new RegExp(`(?<![\\p{L}\\p{N}])(?:${found.join('|')})(?![\\p{L}\\p{N}])`, 'u')
}

/**
 * Deletes restrictions that ended a day ago, which every instance knows by then, and log entries of moderators that are a year
 * old.
 */
export async function deleteOldRestrictions(db: Db): Promise<void> {
  await db.query(
    'delete from chat_restrictions where ms < $1 and muted_until_ms < $1 and banned_until_ms < $1',
    [db.now() - day],
  )
  await db.query('delete from chat_log where ms < $1', [db.now() - 365 * day])
}
