// Which mails about direct messages a wallet gets: at most one in five minutes and so many in a day,
// no matter how many people write. What comes in between is in the next mail.
//
// A wallet is notified of a message once: when the mail server has taken the mail. Mails are about messages that the
// log's reader has read (live/follow.ts): it enqueues a job for each of them, and up to its position
// none becomes visible later.

import type { Db } from '../../db/pool.ts'
import { followedTo } from '../../live/follow.ts'
import { countMail } from '../../mail/hourly.ts'
import type { Config } from '../../config/settings.ts'
import { mayNotify, takesAll } from '../../messages/consent.ts'
import { mutedPeers, nameOf } from '../../messages/shared-sql.ts'
import { walletBucket } from '../../values/bucket.ts'
import { reader } from './reader.ts'
import { findConfirmed, type Party } from './store.ts'

const fiveMinutes = 300_000
const day = 86_400_000
// Without an earlier mail, older messages are no news. The row of a mail stays for as long, so that
// no message is in two mails. A job that fails is given up before.
const newsFor = 2 * day

export interface DmNews {
  email: string
  /** How many wallets wrote what is new and unread. */
  people: number
  messages: number
  /** The one that wrote last. */
  sender: Party
  /** The mail is about messages up to this id. */
  upTo: number
}

type Caps = Pick<Config, 'messageMails' | 'notificationMails' | 'dmDefault'>

/**
 * What the next mail to a wallet is about, counted as sent for this job; or when that mail may be sent;
 * or undefined when the wallet wants none or there is no news.
 */
export const takeNews = (
  db: Db,
  toaddr: string,
  jobId: string,
  caps: Caps,
): Promise<DmNews | Date | undefined> =>
  db.transaction(async (tx) => {
    const email = await findConfirmed(tx, toaddr, 'notifydm')
    if (email === undefined) return undefined
    const recent = await lockMails(tx, toaddr)
    const again = recent.job_id === Number(jobId)
    const now = tx.now()
    const wait = again ? undefined : nextAt(recent.sent, now, caps.messageMails)
    if (wait !== undefined) return new Date(wait)
    const upTo = await followedTo(tx, reader)
    const news = await findNews(tx, toaddr, recent.notified_id, upTo, caps.dmDefault)
    if (!news) return undefined
    const full = again ? undefined : await countMail(tx, 'notification', caps.notificationMails)
    if (full !== undefined) return new Date(full)
    const before = again ? recent.sent.slice(0, -1) : recent.sent.filter((time) => time > now - day)
    await tx.query(`update dm_mails set sent = $2, job_id = $3, expires_ms = $4 where toaddr = $1`, [
      toaddr,
      [...before, now],
      jobId,
      now + newsFor,
    ])
    const { address, name, people, messages } = news
    return { email, people, messages, sender: { address, name }, upTo }
  })

/** Notes that a mail was sent. Until then another job sends the same, also when this one is given up. */
export const recordNotified = (db: Db, toaddr: string, upTo: number) =>
  db.query('update dm_mails set notified_id = greatest(notified_id, $2::bigint) where toaddr = $1', [
    toaddr,
    upTo,
  ])

/** When there may be another mail after these; undefined for now. */
function nextAt(sent: number[], now: number, most: number): number | undefined {
  const next = Math.max((sent.at(-1) ?? 0) + fiveMinutes, (sent.at(-most) ?? 0) + day)
  return next > now ? next : undefined
}

interface RecentMails {
  sent: number[]
  job_id: number
  notified_id: number
}

/** The mails that a wallet got lately. The row is locked until the transaction ends. */
async function lockMails(tx: Db, toaddr: string): Promise<RecentMails> {
  const [row] = await tx.query<RecentMails & { sent: (number | string)[] }>(
    `insert into dm_mails (toaddr, sent, job_id, notified_id, expires_ms) values ($1, '{}', 0, 0, $2)
     on conflict (toaddr) do update set toaddr = excluded.toaddr
     returning sent, job_id, notified_id`,
    [toaddr, tx.now() + newsFor],
  )
  return { ...row!, sent: row!.sent.map(Number) }
}

interface Found extends Party {
  people: number
  messages: number
}

const ofWallet = {
  state: 'case when c.a = $1 then c.state_a else c.state_b end',
  blocked: 'case when c.a = $1 then c.blocked_a else c.blocked_b end',
  peer: 'newest.fromaddr',
}

/**
 * What is new and unread, among the newest ten thousand messages; of wallets that the wallet has neither blocked,
 * ignored nor muted, and not of requests that it keeps.
 */
async function findNews(
  db: Db,
  toaddr: string,
  after: number,
  upTo: number,
  dmDefault: string,
): Promise<Found | undefined> {
  const [row] = await db.query<Found>(
    `with ${mutedPeers('$5')}
     select news.address, ${nameOf('news.address')} as name, news.messages, news.people from (
       select newest.fromaddr as address, count(*) as messages, count(*) over () as people, max(newest.id) as last from (
         select m.fromaddr, m.id, m.ms, m.read, m.bucket, m.conversation_id from direct_messages m
         where m.toaddr = $1 and m.id > $3 and m.id <= $4 and not m.withheld order by m.id desc limit 10000
       ) newest join conversations c on c.bucket = newest.bucket and c.id = newest.conversation_id
       where not newest.read and newest.ms > $6 and newest.fromaddr <> $1 and ${mayNotify(ofWallet, takesAll('$1', '$7'))}
       group by newest.fromaddr order by last desc limit 1
     ) news`,
    [toaddr, walletBucket(toaddr), after, upTo, db.now(), db.now() - newsFor, dmDefault],
  )
  return row
}

/** Deletes rows that no longer matter. */
export const deleteExpiredDmMails = (db: Db) =>
  db.query('delete from dm_mails where expires_ms < $1', [db.now()])
