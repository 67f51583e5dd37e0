// This module stores the browsers that get pushes. An endpoint is a secret of its browser: it is in no response and in no log.

import { createHash } from 'node:crypto'
import { mostPushSubscriptions, type PushSubscription } from '@parley/sdk/contract/notifications.ts'
import type { Db } from '../../db/pool.ts'
import { keyOf, ofWallet } from '../../db/own-rows.ts'
import { newId } from '../../lib/ids.ts'
import type { GrantTx } from '../../messages/add-grant.ts'

export interface Subscription {
  walletaddr: string
  id: string
  endpoint: string
  p256dh: string
  auth: string
  label: string
  created_ms: number
  answer: number | null
  answered_ms: number | null
}

const columns = 'walletaddr, id, endpoint, p256dh, auth, label, created_ms, answer, answered_ms'

export const findSubscriptions = (db: Db, wallet: string) =>
  db.query<Subscription>(
    `select ${columns} from push_subscriptions where ${ofWallet} order by created_ms, id`,
    keyOf(wallet),
  )

export async function findSubscription(
  db: Db,
  wallet: string,
  id: string,
): Promise<Subscription | undefined> {
  const [row] = await db.query<Subscription>(
    `select ${columns} from push_subscriptions where ${ofWallet} and id = $3`,
    keyOf(wallet, id),
  )
  return row
}

type New = Pick<Subscription, 'endpoint' | 'p256dh' | 'auth'> & {
  label?: string | undefined
  /** The earlier endpoint. */
  replaces?: string | undefined
}

const hashOf = (endpoint: string) => createHash('sha256').update(endpoint).digest()

/**
 * Stores what a browser sends again about itself, where it gets pushes for the wallet already; returns true when it does. Only
 * the browser and the service know an endpoint, so a caller that names a stored one is that browser.
 */
export async function renewSubscription(
  db: Db,
  wallet: string,
  { endpoint, p256dh, auth, label = '', replaces }: New,
): Promise<boolean> {
  const hash = hashOf(endpoint)
  return db.transaction(async (tx) => {
    const renew = async (before: Buffer) => {
      const [renewed] = await tx.query<{ id: string }>(
        `update push_subscriptions set endpoint = $5, endpoint_hash = $4, p256dh = $6, auth = $7, label = $8, created_ms = $9
         where ${ofWallet} and endpoint_hash = $3 returning id`,
        keyOf(wallet, before, hash, endpoint, p256dh, auth, label, tx.now()),
      )
      return renewed
    }
    // A repeated request has replaced the earlier endpoint already.
    const renewed = (replaces !== undefined && (await renew(hashOf(replaces)))) || (await renew(hash))
    if (!renewed) return false
    // A browser belongs to the wallet that has named it last.
    if (replaces !== undefined)
      await tx.query('delete from push_subscriptions where endpoint_hash = $1 and id <> $2', [
        hash,
        renewed.id,
      ])
    return true
  })
}

/** Adds a browser in place of its earlier row, and in place of the oldest one where there are too many. */
export async function addSubscription(
  tx: GrantTx<'push_subscriptions'>,
  wallet: string,
  { endpoint, p256dh, auth, label = '' }: New,
): Promise<true> {
  const hash = hashOf(endpoint)
  await tx.query('delete from push_subscriptions where endpoint_hash = $1', [hash])
  await tx.query(
    `delete from push_subscriptions where ${ofWallet} and id in (
       select id from push_subscriptions where ${ofWallet}
       order by created_ms desc, id offset ${mostPushSubscriptions - 1})`,
    keyOf(wallet),
  )
  await tx.query(
    `insert into push_subscriptions (wbucket, walletaddr, id, endpoint, endpoint_hash, p256dh, auth, label, created_ms)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    keyOf(wallet, newId(), endpoint, hash, p256dh, auth, label, tx.now()),
  )
  return true
}

export const deleteSubscription = (db: Db, wallet: string, id: string) =>
  db.query(`delete from push_subscriptions where ${ofWallet} and id = $3`, keyOf(wallet, id))

/** Notes the status that the push service has returned; 0 is no answer. */
export const noteAnswer = (db: Db, wallet: string, id: string, answer: number) =>
  db.query(
    `update push_subscriptions set answer = $4, answered_ms = $5 where ${ofWallet} and id = $3`,
    keyOf(wallet, id, answer, db.now()),
  )

/** Returns a subscription as its owner sees it. */
export const shownOf = ({
  id,
  endpoint,
  label,
  created_ms,
  answer,
  answered_ms,
}: Subscription): PushSubscription => ({
  id,
  host: new URL(endpoint).host,
  label,
  created_at: new Date(created_ms).toISOString(),
  ...(answer !== null && { answer }),
  ...(answered_ms !== null && { answered_at: new Date(answered_ms).toISOString() }),
})
