// These mails are about new grants, which read or write for a wallet (messages/add-grant.ts): at most one in five minutes, which
// names the kinds of all new ones. They go to the confirmed address whatever mails a wallet wants, and at any hour.

import { type GrantNotice, grantWords } from '@parley/sdk/contract/grants.ts'
import type { Db } from '../../db/pool.ts'
import { keyOf, ofWallet } from '../../db/own-rows.ts'
import { minute } from '../../lib/times.ts'
import { body, type Draft, inertAddress } from './templates.ts'

/** Returns the grants that no mail has named yet, oldest first, and when the next mail may be sent. */
export async function findUnmailed(
  db: Db,
  wallet: string,
): Promise<{ added: { id: number; action: GrantNotice }[]; nextAt: number }> {
  const of = keyOf(wallet)
  const added = await db.query<{ id: number; action: GrantNotice }>(
    `select id, action from access_notices where ${ofWallet} and mailed_ms is null order by id`,
    of,
  )
  const [last] = await db.query<{ ms: number | null }>(
    `select max(mailed_ms) as ms from access_notices where ${ofWallet}`,
    of,
  )
  return { added, nextAt: (last?.ms ?? 0) + 5 * minute }
}

/** Notes that a mail has named all up to an id. */
export const noteMailed = (db: Db, wallet: string, upTo: number) =>
  db.query(
    `update access_notices set mailed_ms = $4 where ${ofWallet} and id <= $3 and mailed_ms is null`,
    keyOf(wallet, upTo, db.now()),
  )

/** Writes the mail about new grants, which read or write for a wallet. It names their kinds: others may choose the labels. */
export function accessMail(home: string, wallet: string, added: GrantNotice[]): Draft {
  return {
    kind: 'access',
    subject: `Something was added to your wallet on ${new URL(home).host}`,
    ...accessBody(home, [`This was added to ${inertAddress(wallet)}: ${kindsOf(added)}.`]),
  }
}

/** Writes the last mail to an address that was replaced or removed. It names the new grants too: no other mail may do so. */
export function lastMail(home: string, wallet: string, added: GrantNotice[]): Draft {
  return {
    kind: 'last',
    subject: `Your mail address on ${new URL(home).host} was changed`,
    ...accessBody(home, [
      `Mails about ${inertAddress(wallet)} no longer come to this address: it was replaced or removed.`,
      ...(added.length > 0 ? [`This was added to the wallet: ${kindsOf(added)}.`] : []),
    ]),
  }
}

const kindsOf = (added: GrantNotice[]) =>
  [...new Set(added)].map((action) => grantWords[action].name).join(', ')

function accessBody(home: string, lines: string[]): Pick<Draft, 'link' | 'text' | 'html'> {
  const link = `${home}/settings`
  const note = 'If that was not you, sign out everywhere in the settings: this ends all that was added.'
  return { link, ...body({ lines, action: { label: 'Settings', link }, notes: [note] }) }
}
