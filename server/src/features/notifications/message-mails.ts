// This module decides which mails about direct messages a wallet gets: at most one in five minutes and a limited number in a day,
// no matter how many people write. What comes in between is in the next mail.
//
// A wallet is notified about a message once: when the mail server has accepted the mail. Mails are about messages that the log's
// reader has read (cluster/follow.ts): it enqueues a job for each of them, and up to its position none becomes visible later.

import type { Db } from '../../db/pool.ts'
import { followedTo } from '../../cluster/follow.ts'
import { countMail } from '../../mail/hourly.ts'
import type { Config } from '../../config/settings.ts'
import { day, minute } from '../../lib/times.ts'
import { takesAll } from '../../messages/consent.ts'
import {
  type ConversationFacts,
  decide,
  everything,
  type Recipient,
} from '../../messages/notification-policy.ts'
import { mutedPeers, nameOf } from '../../messages/shared-sql.ts'
import { walletBucket } from '../../values/bucket.ts'
import { findConfirmed, type Party } from './store.ts'

/** The reader of the log that enqueues the jobs. */
export const mailsFollow = { name: 'dm-mails' }

// Without an earlier mail, older messages are no news. The row of a mail stays for this time, so that no message is in two mails.
// A job that fails is given up before.
const newsFor = 2 * day

export interface DmNews {
  email: string
  /** The number of wallets that wrote what is new and unread. */
  people: number
  messages: number
  /** The one that wrote last. */
  sender: Party
  /** The mail is about messages up to this id. */
  upTo: number
}

type Caps = Pick<Config, 'messageMails' | 'notificationMails' | 'dmDefault'>

/**
 * Returns what the next mail to a wallet is about, counted as sent for this job; or when that mail may be sent; or undefined when
 * the wallet wants none or there is no news.
 */
export async function takeNews(
  db: Db,
  toaddr: string,
  recipient: Recipient,
  jobId: string,
  caps: Caps,
): Promise<DmNews | Date | undefined> {
  // This comes first because it holds for every sender: in quiet hours the row of a wallet is not locked for nothing.
  const decision = decide(everything, recipient, 'mail', db.now())
  if (decision.notify === 'never') return undefined
  if (decision.notify === 'later') return new Date(decision.at)
  return db.transaction(async (tx) => {
    const email = await findConfirmed(tx, toaddr, 'notifydm')
    if (email === undefined) return undefined
    const recent = await lockMails(tx, toaddr)
    const isRetry = recent.job_id === Number(jobId)
    const now = tx.now()
    const wait = isRetry ? undefined : nextAt(recent.sent, now, caps.messageMails)
    if (wait !== undefined) return new Date(wait)
    const upTo = await followedTo(tx, mailsFollow)
    const found = await findNews(tx, toaddr, recent.notified_id, upTo, caps.dmDefault)
    const news = found.filter((one) => decide(one, recipient, 'mail', now).notify === 'now')
    if (news.length === 0) return undefined
    const full = isRetry ? undefined : await countMail(tx, 'notification', caps.notificationMails)
    if (full !== undefined) return new Date(full)
    const before = isRetry ? recent.sent.slice(0, -1) : recent.sent.filter((time) => time > now - day)
    await tx.query(`update dm_mails set sent = $2, job_id = $3, expires_ms = $4 where toaddr = $1`, [
      toaddr,
      [...before, now],
      jobId,
      now + newsFor,
    ])
    return { email, upTo, ...sumOf(news) }
  })
}

function sumOf(news: News[]): Pick<DmNews, 'people' | 'messages' | 'sender'> {
  const [{ address, name }] = news.toSorted((one, other) => other.last - one.last) as [News, ...News[]]
  return {
    people: news.reduce((sum, { people }) => sum + people, 0),
    messages: news.reduce((sum, { unread }) => sum + unread, 0),
    sender: { address, name },
  }
}

/** Notes that a mail was sent. Until then another job sends the same, also when this one is given up. */
export const recordNotified = (db: Db, toaddr: string, upTo: number) =>
  db.query('update dm_mails set notified_id = greatest(notified_id, $2::bigint) where toaddr = $1', [
    toaddr,
    upTo,
  ])

/** Returns when there may be another mail after these; undefined for now. */
function nextAt(sent: number[], now: number, most: number): number | undefined {
  const next = Math.max((sent.at(-1) ?? 0) + 5 * minute, (sent.at(-most) ?? 0) + day)
  return next > now ? next : undefined
}

interface RecentMails {
  sent: number[]
  job_id: number
  notified_id: number
}

/** Returns the mails that a wallet got lately. The row is locked until the transaction ends. */
async function lockMails(tx: Db, toaddr: string): Promise<RecentMails> {
  const [row] = await tx.query<RecentMails & { sent: (number | string)[] }>(
    `insert into dm_mails (toaddr, sent, job_id, notified_id, expires_ms) values ($1, '{}', 0, 0, $2)
     on conflict (toaddr) do update set toaddr = excluded.toaddr
     returning sent, job_id, notified_id`,
    [toaddr, tx.now() + newsFor],
  )
  return { ...row!, sent: row!.sent.map(Number) }
}

/** The conversations that share the same facts. */
interface News extends ConversationFacts, Party {
  people: number
  /** The id of the newest message, which the party wrote. */
  last: number
}

/**
 * Returns what is new and unread, among the newest ten thousand messages: a row for all conversations that share the same facts.
 */
const findNews = (db: Db, toaddr: string, after: number, upTo: number, dmDefault: string): Promise<News[]> =>
  db.query<News>(
    `with ${mutedPeers('$5')}
     select 'conversation' as about, news.*, ${nameOf('news.address')} as name, ${takesAll('$1', '$7')} as "takesAll" from (
       select state, blocked, muted, sum(messages)::bigint as unread, count(*) as people, max(last) as last,
         (array_agg(address order by last desc))[1] as address
       from (
         select newest.fromaddr as address, case when c.a = $1 then c.state_a else c.state_b end as state,
           case when c.a = $1 then c.blocked_a else c.blocked_b end as blocked, muted.peer is not null as muted,
           count(*) as messages, max(newest.id) as last
         from (
           select m.fromaddr, m.id, m.ms, m.read, m.bucket, m.conversation_id from direct_messages m
           where m.toaddr = $1 and m.id > $3 and m.id <= $4 and not m.withheld order by m.id desc limit 10000
         ) newest join conversations c on c.bucket = newest.bucket and c.id = newest.conversation_id
         left join muted on muted.peer = newest.fromaddr
         where not newest.read and newest.ms > $6 and newest.fromaddr <> $1
         group by 1, 2, 3, 4
       ) by_peer group by state, blocked, muted
     ) news`,
    [toaddr, walletBucket(toaddr), after, upTo, db.now(), db.now() - newsFor, dmDefault],
  )

/** Deletes rows that no longer matter. */
export const deleteExpiredDmMails = (db: Db) =>
  db.query('delete from dm_mails where expires_ms < $1', [db.now()])
