import { type LogEntry, mostHistory, type Notice } from '@parley/sdk/contract/moderation.ts'
import { type Action, noticed } from '@parley/sdk/contract/moderation-actions.ts'
import { endGrants } from '../../auth/grants.ts'
import type { SanctionKind } from '../../auth/standing.ts'
import type { Db } from '../../db/pool.ts'
import { keyOf, ofWallet } from '../../db/own-rows.ts'
import { enqueue } from '../../jobs/queue.ts'
import { minute } from '../../lib/times.ts'
import { drawEvents, eventJson } from '../../messages/events.ts'
import { type Holds, keepingMessages } from '../../messages/holds.ts'
import { setRecommended } from '../../messages/recommended.ts'
import { removePost } from '../../messages/remove-post.ts'
import { logoOf, nameOf } from '../../messages/shared-sql.ts'
import { bucketOfId, chatBucket } from '../../values/bucket.ts'
import { append, type NewEntry, type Queries } from '../../messages/operator-log.ts'
import { type Answered, settleReports } from './reports.ts'

/** Does what an operator decided, logs it, settles the reports, and notifies, in one transaction. */
export const act = (
  db: Db,
  holds: Holds,
  entry: NewEntry & { action: Action },
  answered: Answered[],
): Promise<LogEntry> =>
  db.transaction(async (tx) => {
    const { action, subject } = entry
    const settles = action === 'note' || action === 'escalate' ? undefined : 'closed'
    const reporters = (settles ? answered : []).flatMap(({ reporter }) => reporter ?? [])
    const { announce } = await drawEvents(tx, [
      ...(isNoticed(action) ? [noticeTo(subject, action)] : []),
      ...reporters.map((reporter) => noticeTo(reporter, 'report')),
    ])
    if (action !== 'note') await settleReports(tx, entry.reports, settles ?? 'escalated')
    await effects[action](tx, entry, holds)
    const logged = await append(tx, entry)
    await announce()
    return logged
  })

const noticeTo = (wallet: string, action: Action | 'report') => ({
  wallet,
  event: { type: 'notice' as const, action },
})

const isNoticed = (action: Action) => (noticed as readonly Action[]).includes(action)

const nothing = async () => {}

const effects: Record<Action, (tx: Db, entry: NewEntry, holds: Holds) => Promise<unknown>> = {
  note: nothing,
  acknowledge: nothing,
  escalate: nothing,
  warn: nothing,
  mute: (tx, entry) => sanction(tx, 'mute', entry),
  ban: (tx, entry) => sanction(tx, 'ban', entry),
  shadow_mute: (tx, entry) => sanction(tx, 'shadow_mute', entry),
  close_chat: (tx, entry) => sanction(tx, 'close', entry),
  lift: (tx, { subject }) => lift(tx, subject, ['mute', 'ban']),
  shadow_lift: (tx, { subject }) => lift(tx, subject, ['shadow_mute']),
  open_chat: (tx, { subject }) => lift(tx, subject, ['close']),
  takedown_community: (tx, entry) => sanction(tx, 'takedown', entry),
  restore_community: (tx, { subject }) => lift(tx, subject, ['takedown']),
  stop_announcements: (tx, entry) => sanction(tx, 'announce', entry),
  allow_announcements: (tx, { subject }) => lift(tx, subject, ['announce']),
  recommend_community: (tx, { subject }) => setRecommended(tx, subject, true),
  unrecommend_community: (tx, { subject }) => setRecommended(tx, subject, false),
  hold: (tx, entry) => sanction(tx, 'hold', entry),
  release: async (tx, { subject }) => {
    await lift(tx, subject, ['hold'])
    // The job runs when every instance knows.
    await enqueue(tx, 'forget-released', {}, { runAt: new Date(tx.now() + minute) })
  },
  revoke_tokens: (tx, { subject }) => endGrants(tx, subject),
  remove_name: (tx, { subject }) => tx.query('select delete_name_v1($1, $2) as deleted', keyOf(subject)),
  remove_picture: (tx, { subject }) => tx.query('select delete_image_v1($1, $2) as deleted', keyOf(subject)),
  remove_message: (tx, { item }, holds) => removeMessage(tx, holds, item!),
  remove_post: async (tx, { item, subject }, holds) => {
    const post = (await findPost(tx, item!, subject))!
    await removePost(tx, holds, { ...post, id: item!, by: 'operator' })
  },
}

/** Returns the chat of a post of a wallet: its key, and its name as people see it. */
export async function findPost(db: Db, id: number, author: string) {
  const [post] = await db.query<{ chat: string; nftaddr: string }>(
    `select m.chat, c.nftaddr from group_messages m join group_chats c on c.bucket = $1 and c.chat = m.chat
     where m.bucket = $1 and m.id = $2 and m.fromaddr = $3`,
    [bucketOfId(id), id, author],
  )
  return post
}

/** Deletes a direct message for both of its ends, as its sender can. */
async function removeMessage(tx: Db, holds: Holds, id: number): Promise<void> {
  const [message] = await tx.query<{ conversation_id: number; fromaddr: string; toaddr: string }>(
    'select conversation_id, fromaddr, toaddr from direct_messages where bucket = $1 and id = $2',
    [bucketOfId(id), id],
  )
  if (!message) return
  const { conversation_id, fromaddr, toaddr } = message
  await keepingMessages(tx, holds, { between: [fromaddr, toaddr], ids: [id] }, (db) =>
    db.query('select delete_direct_message_v1($1, $2, $3, $4, $5)', [
      db.now(),
      bucketOfId(id),
      conversation_id,
      id,
      eventJson({ type: 'deleted', id, fromaddr, toaddr }),
    ]),
  )
}

const lift = (tx: Db, subject: string, kinds: SanctionKind[]) =>
  tx.query('update sanctions set until_ms = $2, ms = $2 where subject = $1 and kind = any($3::text[])', [
    subject,
    tx.now(),
    kinds,
  ])

const sanction = (tx: Db, kind: SanctionKind, { subject, until, reason }: NewEntry) =>
  tx.query(
    `insert into sanctions (subject, kind, until_ms, ms, reason) values ($1, $2, $3, $4, $5)
     on conflict (subject, kind) do update
       set until_ms = excluded.until_ms, ms = excluded.ms, reason = excluded.reason`,
    [subject, kind, until, tx.now(), kind === 'takedown' ? reason : null],
  )

/** Returns true when there is a community with this key. */
export const hasCommunity = async (db: Db, chat: string): Promise<boolean> =>
  (await db.query('select chat from communities where bucket = $1 and chat = $2', [chatBucket(chat), chat]))
    .length > 0

/** Returns what others see of a wallet or chat. */
export async function findFace(db: Db, address: string): Promise<{ name: string; picture: string }> {
  const [row] = await db.query<{ name: string; picture: string }>(
    `select ${nameOf('$1')} as name, ${logoOf('$1')} as picture`,
    [address],
  )
  return row!
}

interface NoticeRow extends Pick<Notice, 'id' | 'action' | 'reason'> {
  ms: number
  until_ms: number | null
}

const noticeOf = ({ ms, until_ms, ...row }: NoticeRow): Notice => {
  const at = new Date(ms).toISOString()
  return until_ms === null ? { ...row, at } : { ...row, at, until: new Date(until_ms).toISOString() }
}

/**
 * Returns the actions of operators about which a wallet gets a notice, and the grants that were added to it, the latest first.
 */
export async function findNotices(db: Db, wallet: string): Promise<Notice[]> {
  const [ofOperators, ofAccess] = await Promise.all([
    db.query<NoticeRow>(
      `select id, ms, action, until_ms, reason from moderation_log
       where subject = $1 and action = any($2::text[]) order by id desc limit ${mostHistory}`,
      [wallet, noticed],
    ),
    findAccessNotices(db, wallet),
  ])
  return [...ofOperators, ...ofAccess].toSorted((a, b) => b.ms - a.ms).map(noticeOf)
}

const findAccessNotices = (db: Db, wallet: string) =>
  db.query<NoticeRow>(
    `select id, ms, action, null as until_ms, about as reason from access_notices
     where ${ofWallet} order by id desc limit ${mostHistory}`,
    keyOf(wallet),
  )

/** Returns how often each action was taken since a time. */
export async function countActions(db: Db, since: number): Promise<Record<string, number>> {
  const rows = await db.query<{ action: string; times: number }>(
    `select action, count(*)::integer as times from moderation_log
     where id > coalesce((select max(id) from moderation_log where ms < $1), 0) group by action order by action`,
    [since],
  )
  return Object.fromEntries(rows.map(({ action, times }) => [action, times]))
}

/** Adds an operator; returns false when the wallet was one already. */
export const addOperator = async (db: Queries, address: string, ms: number): Promise<boolean> =>
  (
    await db.query(
      'insert into operators (address, added_ms) values ($1, $2) on conflict do nothing returning address',
      [address, ms],
    )
  ).length > 0

/** Removes an operator; returns false when the wallet was none. */
export const removeOperator = async (db: Queries, address: string): Promise<boolean> =>
  (await db.query('delete from operators where address = $1 returning address', [address])).length > 0

export const findOperators = (db: Queries) =>
  db.query<{ address: string; added_ms: number }>(
    'select address, added_ms::float8 as added_ms from operators order by added_ms, address',
  )
