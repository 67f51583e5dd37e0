import { createHash } from 'node:crypto'
import { canonicalEmail } from '../../values/email.ts'
import type { Config } from '../../config/settings.ts'
import type { Db } from '../../db/pool.ts'
import { tooMany } from '../../limits/too-many.ts'

const hour = 3600
const day = 24 * hour

/**
 * Counts one more confirmation mail from a wallet to an address, or throws 429: so many an hour for a wallet and so many a day
 * to an address, whoever asks. It is kept with the rest of the transaction, so of an update that fails nothing is counted.
 */
export async function takeMailQuota(
  tx: Db,
  { mailsOfWallet, mailsToAddress }: Pick<Config, 'mailsOfWallet' | 'mailsToAddress'>,
  walletaddr: string,
  email: string,
): Promise<void> {
  // Always in this order, so that two transactions cannot wait for each other.
  const limits = `at most ${mailsOfWallet} an hour for a wallet and ${mailsToAddress} a day to an address`
  await take(tx, `wallet ${walletaddr}`, mailsOfWallet, hour, limits)
  await take(tx, `mailbox ${mailboxOf(email)}`, mailsToAddress, day, limits)
}

async function take(tx: Db, key: string, most: number, seconds: number, limits: string): Promise<void> {
  const [granted] = await tx.query(takeOne, [key, seconds, most])
  if (granted) return
  const [next] = await tx.query<{ seconds: number }>(nextPlace, [key, seconds])
  throw tooMany(
    `Too many confirmation mails: ${limits}. Nothing was changed.`,
    Math.max(1, next?.seconds ?? 1),
  )
}

const recent = `unnest(q.sent) t where t > now() - $2 * interval '1 s'`

const takeOne = `
  insert into mail_quotas as q (key, sent, expires_at) values ($1, array[now()], now() + $2 * interval '1 s')
  on conflict (key) do update
    set sent = array(select t from ${recent}) || now(), expires_at = excluded.expires_at
    where (select count(*) from ${recent}) < $3
  returning true as granted`

const nextPlace = `
  select ceil(extract(epoch from min(t) + $2 * interval '1 s' - now()))::int as seconds
  from mail_quotas q, ${recent} and q.key = $1`

/** One mailbox whatever its letter case and `+tag`: most mail systems deliver all of these to the same person. */
function mailboxOf(email: string): string {
  const [local = '', domain = ''] = canonicalEmail(email).split(/@(?=[^@]*$)/)
  const mailbox = `${local.split('+')[0] || local}@${domain}`.toLowerCase()
  return createHash('sha256').update(mailbox).digest('base64url')
}

/** Forgets mails that no longer count. */
export const deleteExpiredQuotas = (db: Db) => db.query(`delete from mail_quotas where expires_at < now()`)
