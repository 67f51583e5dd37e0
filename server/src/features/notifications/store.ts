import { enqueueEach } from '../../jobs/queue.ts'
import type { Db } from '../../db/pool.ts'
import { conversationsOf, isPair, nameOf, unreadInChat } from '../../messages/shared-sql.ts'

// The content of mails is read when they are sent, not when the job is added: meanwhile a message
// may have been read, an address changed, or mails unsubscribed. Only confirmed addresses get
// mails. No message text is read.

/**
 * The address that waits for confirmation, and the hash of its code; undefined when it no longer
 * waits.
 */
export async function findUnconfirmed(
  db: Db,
  walletaddr: string,
  verificationId: string,
): Promise<{ email: string; hash: Buffer } | undefined> {
  const [row] = await db.query<{ email: string; hash: Buffer }>(
    `select email, verification_hash as hash from settings
     where walletaddr = $1 and verification_id = $2 and verification_expires_at > now()`,
    [walletaddr, verificationId],
  )
  return row
}

export interface Party {
  address: string
  /** Empty without a name. */
  name: string
}

export interface DmNews {
  email: string
  sender: Party
  unread: number
}

/**
 * The unread messages of one wallet to another that wants mails about them; undefined when it does
 * not.
 */
export async function findDmNews(db: Db, fromaddr: string, toaddr: string): Promise<DmNews | undefined> {
  const [row] = await db.query<{ email: string; name: string; unread: number }>(
    `select s.email, ${nameOf('$1')} as name, case when c.a = $2 then c.unread_a else c.unread_b end as unread
     from settings s
     join conversations c on ${isPair('$1', '$2')}
     where s.walletaddr = $2 and s.notifydm and s.verified`,
    [fromaddr, toaddr],
  )
  return row && { email: row.email, sender: { address: fromaddr, name: row.name }, unread: row.unread }
}

/**
 * Reserves the five minutes in which there is one mail about one wallet's messages to another.
 * Undefined when that is done: there was no mail in the last five minutes, or it was an attempt of
 * the same job. Else the time of the next mail.
 */
export async function reserveDmMail(
  db: Db,
  fromaddr: string,
  toaddr: string,
  jobId: string,
): Promise<Date | undefined> {
  const [reserved] = await db.query(
    `insert into dm_mails as d (fromaddr, toaddr, job_id, expires_at) values ($1, $2, $3, now() + interval '5 minutes')
     on conflict (fromaddr, toaddr) do update set job_id = excluded.job_id, expires_at = excluded.expires_at
     where d.expires_at <= now() or d.job_id = excluded.job_id
     returning true as reserved`,
    [fromaddr, toaddr, jobId],
  )
  if (reserved) return undefined
  const [last] = await db.query<{ expires_at: Date }>(
    `select expires_at from dm_mails where fromaddr = $1 and toaddr = $2`,
    [fromaddr, toaddr],
  )
  return last?.expires_at ?? new Date()
}

/** Deletes reservations that are over. */
export const deleteExpiredDmMails = (db: Db) => db.query(`delete from dm_mails where expires_at < now()`)

/** The unread messages in conversations of one kind. */
export interface Unread {
  /** How many messages, in how many conversations. */
  unread: number
  conversations: number
  /** The conversations with the most unread messages, at most ten. */
  top: { party: Party; unread: number }[]
}

export interface Summary {
  email: string
  messages: Unread
  chats: Unread
}

/**
 * The unread messages of a wallet that wants the daily summary: direct messages by peer, and the
 * chats it has joined.
 */
export async function findSummary(db: Db, walletaddr: string): Promise<Summary | undefined> {
  const [row] = await db.query<Summary>(
    `select s.email, (${summaryOf(unreadMessages)}) as messages, (${summaryOf(unreadChats)}) as chats
     from settings s where s.walletaddr = $1 and s.notify24 and s.verified`,
    [walletaddr],
  )
  return row
}

const summaryOf = (rows: string) => `
  select json_build_object('unread', coalesce(sum(unread), 0), 'conversations', count(*), 'top', coalesce(
    json_agg(json_build_object('party', json_build_object('address', address, 'name', name), 'unread', unread) order by place)
      filter (where place <= 10), '[]'))
  from (select *, row_number() over (order by unread desc, address) as place from (${rows}) r where unread > 0) ranked`

const unreadMessages = `
  select peer as address, ${nameOf('peer')} as name, unread from (${conversationsOf('$1')}) c`

const unreadChats = `
  select c.nftaddr as address, case when c.context_type = 'community' then c.nftaddr else ${nameOf('c.nftaddr')} end as name,
    ${unreadInChat} as unread
  from bookmarks b
  join group_chats c on c.chat = b.chat
  left join group_visits v on v.walletaddr = $1 and v.chat = b.chat
  where b.walletaddr = $1`

/**
 * Adds a job for each of the next thousand wallets that want a summary; answers the last wallet, or
 * null at the end.
 */
export async function queueSummaries(db: Db, after: string, day: string): Promise<string | null> {
  const [page] = await db.query<{ last: string | null }>(
    `with page as (
       select walletaddr from settings where notify24 and verified and walletaddr > $1 order by walletaddr limit 1000
     ), queued as materialized (${enqueueEach(
       'send-daily-summary',
       `json_build_object('walletaddr', walletaddr)`,
       `'send-daily-summary ' || $2::text || ' ' || walletaddr`,
       'select walletaddr from page',
     )})
     select max(walletaddr) as last from page, queued`,
    [after, day],
  )
  return page!.last
}

/** Stops one kind of mail to a wallet, if its mails still go to this address. */
export const stopMails = (db: Db, kind: 'notifydm' | 'notify24', walletaddr: string, email: string) =>
  db.query(`update settings set ${kind} = false where walletaddr = $1 and email = $2`, [walletaddr, email])

export async function findEmail(db: Db, walletaddr: string): Promise<string | undefined> {
  const [row] = await db.query<{ email: string }>(
    `select email from settings where walletaddr = $1 and email is not null`,
    [walletaddr],
  )
  return row?.email
}
