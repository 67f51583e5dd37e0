// The browsers that get pushes. An endpoint is a secret of its browser: it is in no answer and in no log.

import { createHash, randomBytes } from 'node:crypto'
import type { PushSubscription } from '@parley/sdk/contract/notifications.ts'
import type { Db } from '../../db/pool.ts'
import type { GrantTx } from '../../messages/granting.ts'
import { walletBucket } from '../../values/bucket.ts'

/** How many browsers of a wallet get pushes. */
const most = 10

export interface Subscription {
  id: string
  endpoint: string
  p256dh: string
  auth: string
  label: string
  created_ms: number
  answer: number | null
  answered_ms: number | null
}

const columns = 'id, endpoint, p256dh, auth, label, created_ms, answer, answered_ms'

export const findSubscriptions = (db: Db, wallet: string) =>
  db.query<Subscription>(
    `select ${columns} from push_subscriptions where wbucket = $1 and walletaddr = $2 order by created_ms, id`,
    [walletBucket(wallet), wallet],
  )

export async function findSubscription(
  db: Db,
  wallet: string,
  id: string,
): Promise<Subscription | undefined> {
  const [row] = await db.query<Subscription>(
    `select ${columns} from push_subscriptions where wbucket = $1 and walletaddr = $2 and id = $3`,
    [walletBucket(wallet), wallet, id],
  )
  return row
}

type New = Pick<Subscription, 'endpoint' | 'p256dh' | 'auth'> & {
  label?: string | undefined
  /** The endpoint before. */
  replaces?: string | undefined
}

const hashOf = (endpoint: string) => createHash('sha256').update(endpoint).digest()

/**
 * Keeps what a browser says anew of itself, where it gets pushes for the wallet already; answers whether it does. Only the browser
 * and the service know an endpoint, so who names one that is there is that browser.
 */
export async function renewSubscription(
  db: Db,
  wallet: string,
  { endpoint, p256dh, auth, label = '', replaces }: New,
): Promise<boolean> {
  const [hash, before] = [hashOf(endpoint), hashOf(replaces ?? endpoint)]
  return db.transaction(async (tx) => {
    const [renewed] = await tx.query<{ id: string }>(
      `update push_subscriptions set endpoint = $5, endpoint_hash = $4, p256dh = $6, auth = $7, label = $8, created_ms = $9
       where wbucket = $1 and walletaddr = $2 and endpoint_hash = $3 returning id`,
      [walletBucket(wallet), wallet, before, hash, endpoint, p256dh, auth, label, tx.now()],
    )
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

/** Adds a browser in place of what is known of it, and in place of the oldest one where there are too many. */
export async function addSubscription(
  tx: GrantTx<'push_subscriptions'>,
  wallet: string,
  { endpoint, p256dh, auth, label = '' }: New,
): Promise<true> {
  const hash = hashOf(endpoint)
  const wbucket = walletBucket(wallet)
  await tx.query('delete from push_subscriptions where endpoint_hash = $1', [hash])
  await tx.query(
    `delete from push_subscriptions where wbucket = $1 and walletaddr = $2 and id in (
       select id from push_subscriptions where wbucket = $1 and walletaddr = $2
       order by created_ms desc, id offset ${most - 1})`,
    [wbucket, wallet],
  )
  await tx.query(
    `insert into push_subscriptions (wbucket, walletaddr, id, endpoint, endpoint_hash, p256dh, auth, label, created_ms)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [wbucket, wallet, randomBytes(12).toString('base64url'), endpoint, hash, p256dh, auth, label, tx.now()],
  )
  return true
}

export const deleteSubscription = (db: Db, wallet: string, id: string) =>
  db.query('delete from push_subscriptions where wbucket = $1 and walletaddr = $2 and id = $3', [
    walletBucket(wallet),
    wallet,
    id,
  ])

/** Notes what the push service has answered; 0 is no answer. */
export const noteAnswer = (db: Db, wallet: string, id: string, answer: number) =>
  db.query(
    'update push_subscriptions set answer = $4, answered_ms = $5 where wbucket = $1 and walletaddr = $2 and id = $3',
    [walletBucket(wallet), wallet, id, answer, db.now()],
  )

/** As its owner sees it. */
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
