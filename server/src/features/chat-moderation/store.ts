// This module stores who is muted or banned in a chat, and its rules. A decision and its row in the log are one transaction.

import { isDeepStrictEqual } from 'node:util'
import {
  type ChatRule,
  mostRestricted,
  type NewRestriction,
  type Restriction,
} from '@parley/sdk/contract/chat-moderation-models.ts'
import type { Db } from '../../db/pool.ts'
import { log, type Why } from '../../messages/chat-log.ts'
import { forever } from '../../messages/shared-sql.ts'
import { chatBucket } from '../../values/bucket.ts'
import { communityOf, isRoom } from '../../values/chat.ts'
import { parseTime } from '../../values/formats.ts'
import { ofChat, untilText } from './log.ts'

const untilOf = (text: string | null | undefined): number => {
  if (text === null || text === undefined) return 0
  return text === 'forever' ? forever : Math.floor(parseTime(text)!)
}

interface RestrictionRow {
  walletaddr: string
  muted: number
  banned: number
  reason: string
}

function restrictionOf({ walletaddr, muted, banned, reason }: RestrictionRow, now: number): Restriction {
  return {
    walletaddr,
    ...(muted > now && { muted_until: untilText(muted) }),
    ...(banned > now && { banned_until: untilText(banned) }),
    reason,
  }
}

const restrictionColumns = 'walletaddr, muted_until_ms as muted, banned_until_ms as banned, reason'

/** Returns undefined when the chat has reached its maximum of restricted wallets. A call that changes nothing is not logged. */
export const restrict = (
  db: Db,
  chat: string,
  actor: string,
  walletaddr: string,
  { muted_until, banned_until }: Pick<NewRestriction, 'muted_until' | 'banned_until'>,
  why: Why,
): Promise<Restriction | undefined> =>
  db.transaction(async (tx) => {
    const now = tx.now()
    const [muted, banned] = [untilOf(muted_until), untilOf(banned_until)]
    const lifts = Math.max(muted, banned) <= now
    const reason = why.publishing.isUnseen ? '' : why.reason
    const [before = { walletaddr, muted: 0, banned: 0, reason: '' }] = await tx.query<RestrictionRow>(
      `select ${restrictionColumns} from chat_restrictions where bucket = $1 and chat = $2 and walletaddr = $3`,
      [...ofChat(chat), walletaddr],
    )
    if (isDeepStrictEqual(before, { walletaddr, muted, banned, reason }))
      return restrictionOf({ ...before, reason: why.reason }, now)
    const [row] = await tx.query<RestrictionRow>(
      `insert into chat_restrictions (bucket, chat, walletaddr, muted_until_ms, banned_until_ms, reason, ms)
       select l.bucket, $2, $3, $4, $5, $6, $7 from buckets l
       where l.bucket = $1 and ($8 or (
         select count(*) from chat_restrictions where bucket = $1 and chat = $2 and walletaddr <> $3
           and greatest(muted_until_ms, banned_until_ms) > $7) < ${mostRestricted})
       on conflict (bucket, chat, walletaddr) do update set muted_until_ms = excluded.muted_until_ms,
         banned_until_ms = excluded.banned_until_ms, reason = excluded.reason, ms = excluded.ms
       returning ${restrictionColumns}`,
      [...ofChat(chat), walletaddr, muted, banned, reason, now, lifts],
    )
    if (!row) return undefined
    const action = lifts ? 'lift' : banned > now ? 'ban' : 'mute'
    const until = banned > now ? banned : muted
    await log(tx, { chat, actor, action, subject: walletaddr, ...(!lifts && { until }), why })
    return restrictionOf({ ...row, reason: why.reason }, now)
  })

/** Returns the restrictions in the order of addresses. */
export async function findRestricted(
  db: Db,
  chat: string,
  { limit, after = '' }: { limit?: number; after?: string } = {},
): Promise<Restriction[]> {
  const now = db.now()
  const rows = await db.query<RestrictionRow>(
    `select ${restrictionColumns} from chat_restrictions
     where bucket = $1 and chat = $2 and greatest(muted_until_ms, banned_until_ms) > $3 and walletaddr > $4
     order by walletaddr limit $5`,
    [...ofChat(chat), now, after, limit ?? null],
  )
  return rows.map((row) => restrictionOf(row, now))
}

/** Returns the rules of a chat. A room has the slow mode of its community until it has one, and always its retention. */
export async function getRules(db: Db, chat: string): Promise<ChatRule> {
  const rows = await db.query<RuleRow & { chat: string }>(
    'select chat, slow_seconds, words, retention_days from chat_rules where bucket = $1 and chat = any($2)',
    [chatBucket(chat), [...new Set([chat, communityOf(chat)])]],
  )
  const rulesOf = (key: string) => rows.find((row) => row.chat === key) ?? noRules
  const { slow_seconds, retention_days } = rulesOf(communityOf(chat))
  const own = rows.find((row) => row.chat === chat) ?? { slow_seconds, words: [] }
  return ruleOf({ slow_seconds: own.slow_seconds, words: own.words, retention_days })
}

type RuleRow = Required<ChatRule>
const noRules: RuleRow = { slow_seconds: 0, words: [], retention_days: 0 }

const ruleOf = ({ retention_days, ...rule }: RuleRow): ChatRule =>
  retention_days > 0 ? { ...rule, retention_days } : rule

export const setRules = (db: Db, chat: string, actor: string, rules: Partial<ChatRule>): Promise<ChatRule> =>
  db.transaction(async (tx) => {
    const before = await getRules(tx, chat)
    if (isDeepStrictEqual({ ...before, ...rules }, before)) return before
    const { slow_seconds = null, words = null, retention_days = null } = rules
    const [row] = await tx.query<RuleRow>(
      `insert into chat_rules as r (bucket, chat, slow_seconds, words, ms, retention_days)
       values ($1, $2, coalesce($3, $7::integer), coalesce($4::text[], '{}'), $5, coalesce($6, 0))
       on conflict (bucket, chat) do update set slow_seconds = coalesce($3, r.slow_seconds),
         words = coalesce($4::text[], r.words), ms = excluded.ms,
         retention_days = coalesce($6, r.retention_days)
       returning slow_seconds, words, retention_days`,
      [...ofChat(chat), slow_seconds, words, tx.now(), retention_days, before.slow_seconds],
    )
    await log(tx, { chat, actor, action: 'set_rules' })
    return isRoom(chat) ? getRules(tx, chat) : ruleOf(row!)
  })
