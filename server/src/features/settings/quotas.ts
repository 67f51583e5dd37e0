import type { Context } from '../../context.ts'
import type { Db } from '../../db/pool.ts'
import { mac } from '../../lib/mac.ts'
import { siteOf } from '../../limits/network.ts'
import { type Limit, slidingWindow } from '../../limits/sliding-window.ts'
import { tooMany } from '../../limits/too-many.ts'
import { countMail } from '../../mail/hourly.ts'
import { mailboxOf } from '../../values/email.ts'

const hour = 3600
const day = 24 * hour

const mails = slidingWindow('mail_quotas', 'sent')

interface MailRequest {
  wallet: string
  email: string
  /** The network address of the request. */
  network: string
}

/**
 * Counts one more confirmation mail, or throws 429: there are limits for the requests of a wallet and a network address in an
 * hour, for the mails to a mailbox in a day, and for the mails of the service in an hour. The count is part of the transaction:
 * an update that fails counts nothing.
 */
export async function takeMailQuota(
  tx: Db,
  config: Context['config'],
  { wallet, email, network }: MailRequest,
): Promise<void> {
  const { mailsOfWallet, mailsToAddress, mailsOfNetwork, ipv6Factor, confirmationMails } = config
  const hashed = (text: string) => mac(config.jwtSecret, 'mail quota', text).toString('base64url')
  // The order is always this one, so that two transactions cannot wait for each other.
  await take(
    tx,
    `wallet ${wallet}`,
    { most: mailsOfWallet, seconds: hour },
    `a wallet may ask for ${mailsOfWallet} an hour`,
  )
  await take(
    tx,
    `mailbox ${hashed(mailboxOf(email))}`,
    { most: mailsToAddress, seconds: day },
    `a mailbox gets at most ${mailsToAddress} a day, however its address is written`,
  )
  await take(
    tx,
    `network ${hashed(network)}`,
    { most: mailsOfNetwork, seconds: hour },
    `all wallets of your network address may ask for ${mailsOfNetwork} an hour`,
  )
  const site = siteOf(network)
  const mailsOfSite = mailsOfNetwork * ipv6Factor
  if (site !== undefined)
    await take(
      tx,
      `network ${hashed(site)}`,
      { most: mailsOfSite, seconds: hour },
      `all wallets of your IPv6 /48 may ask for ${mailsOfSite} an hour`,
    )
  const full = await countMail(tx, 'confirmation', confirmationMails)
  if (full !== undefined)
    throw refusal(`this service sends ${confirmationMails} an hour`, Math.ceil((full - tx.now()) / 1000))
}

async function take(tx: Db, key: string, limit: Limit, rule: string): Promise<void> {
  if (await mails.count(tx, key, limit)) return
  throw refusal(rule, (await mails.secondsToWait(tx, key, limit)) ?? 1)
}

const refusal = (rule: string, seconds: number) =>
  tooMany(
    'confirmation-mails',
    `Too many confirmation mails: ${rule}. Nothing was changed. Try again in ${seconds} s.`,
    Math.max(1, seconds),
  )

/** Deletes mails that no longer count. */
export const deleteExpiredQuotas = mails.deleteExpired
