import { createHash } from 'node:crypto'
import { canonicalEmail } from '../../values/email.ts'
import type { Config } from '../../config/settings.ts'
import type { Db } from '../../db/pool.ts'
import { type Limit, slidingWindow } from '../../limits/sliding-window.ts'
import { tooMany } from '../../limits/too-many.ts'

const hour = 3600
const day = 24 * hour

const mails = slidingWindow('mail_quotas', 'sent')

/**
 * Counts one more confirmation mail from a wallet to an address, or throws 429: a wallet may ask
 * for so many in an hour, and an address may get so many in a day from all wallets. The count is
 * part of the transaction: an update that fails counts nothing.
 */
export async function takeMailQuota(
  tx: Db,
  { mailsOfWallet, mailsToAddress }: Pick<Config, 'mailsOfWallet' | 'mailsToAddress'>,
  walletaddr: string,
  email: string,
): Promise<void> {
  // Always in this order, so that two transactions cannot wait for each other.
  const rules = `at most ${mailsOfWallet} an hour for a wallet and ${mailsToAddress} a day to an address`
  await take(tx, `wallet ${walletaddr}`, { most: mailsOfWallet, seconds: hour }, rules)
  await take(tx, `mailbox ${mailboxOf(email)}`, { most: mailsToAddress, seconds: day }, rules)
}

async function take(tx: Db, key: string, limit: Limit, rules: string): Promise<void> {
  if (await mails.count(tx, key, limit)) return
  throw tooMany(
    `Too many confirmation mails: ${rules}. Nothing was changed.`,
    (await mails.secondsToWait(tx, key, limit)) ?? 1,
  )
}

/**
 * One mailbox whatever its letter case and `+tag`: most mail systems deliver all of these to the
 * same person.
 */
function mailboxOf(email: string): string {
  const [local = '', domain = ''] = canonicalEmail(email).split(/@(?=[^@]*$)/)
  const mailbox = `${local.split('+')[0] || local}@${domain}`.toLowerCase()
  return createHash('sha256').update(mailbox).digest('base64url')
}

/** Deletes mails that no longer count. */
export const deleteExpiredQuotas = mails.deleteExpired
