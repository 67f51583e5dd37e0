import { randomBytes } from 'node:crypto'
import type { NewWebhook } from '@parley/sdk/contract/webhooks.ts'
import type { Db } from '../../db/pool.ts'
import { walletBucket } from '../../values/bucket.ts'
import { type Keys, newKeys } from './sign.ts'

/** How many a wallet has. */
export const most = 5
/** How many deliveries of one are kept. */
const mostKept = 10_000

export interface Hook extends Keys {
  id: string
  url: string
  events: NewWebhook['events']
  is_on: boolean
  created_ms: number
  failing_ms: number | null
}

const columns = 'id, url, events, is_on, secret, public_key, private_key, created_ms, failing_ms'

export const findHooks = (db: Db, wallet: string) =>
  db.query<Hook>(
    `select ${columns} from webhooks where wbucket = $1 and walletaddr = $2 order by created_ms, id`,
    [walletBucket(wallet), wallet],
  )

export async function findHook(db: Db, wallet: string, id: string): Promise<Hook | undefined> {
  const [row] = await db.query<Hook>(
    `select ${columns} from webhooks where wbucket = $1 and walletaddr = $2 and id = $3`,
    [walletBucket(wallet), wallet, id],
  )
  return row
}

/** Makes one; undefined when the wallet has as many as it may. */
export const createHook = (db: Db, wallet: string, { url, events, is_on = true }: NewWebhook) =>
  db.transaction(async (tx) => {
    // Two at once for one wallet wait for each other.
    await tx.query(
      `select pg_advisory_xact_lock(hashtextextended('webhooks ' || $1::text, 0)) is null as locked`,
      [wallet],
    )
    if ((await findHooks(tx, wallet)).length >= most) return undefined
    const hook: Hook = {
      id: randomBytes(12).toString('base64url'),
      url,
      events,
      is_on,
      ...newKeys(),
      created_ms: tx.now(),
      failing_ms: null,
    }
    const { id, secret, public_key: publicKey, private_key: privateKey, created_ms: ms } = hook
    await tx.query(
      `insert into webhooks (wbucket, walletaddr, id, url, events, is_on, secret, public_key, private_key, created_ms)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [walletBucket(wallet), wallet, id, url, events, is_on, secret, publicKey, privateKey, ms],
    )
    return hook
  })

export const changeHook = (db: Db, wallet: string, id: string, { url, events, is_on = true }: NewWebhook) =>
  db.query(
    `update webhooks set url = $4, events = $5, is_on = $6, failing_ms = null
     where wbucket = $1 and walletaddr = $2 and id = $3`,
    [walletBucket(wallet), wallet, id, url, events, is_on],
  )

export const deleteHook = (db: Db, wallet: string, id: string) =>
  db.transaction(async (tx) => {
    const of = [walletBucket(wallet), wallet, id]
    await tx.query('delete from webhooks where wbucket = $1 and walletaddr = $2 and id = $3', of)
    await tx.query('delete from webhook_deliveries where wbucket = $1 and walletaddr = $2 and hook = $3', of)
  })

export interface Delivery {
  id: number
  event: string
  peer: string
  ms: number
  attempt: number
  status: number | null
  tried_ms: number | null
  is_done: boolean
}

const ofDelivery = 'id, event, peer, ms, attempt, status, tried_ms, is_done'

export const findDeliveries = (db: Db, wallet: string, hook: string) =>
  db.query<Delivery>(
    `select ${ofDelivery} from webhook_deliveries where wbucket = $1 and walletaddr = $2 and hook = $3
     order by ms desc, id desc limit 100`,
    [walletBucket(wallet), wallet, hook],
  )

/** The first one that waits; later ones wait for it. */
export async function findNext(db: Db, wallet: string, hook: string): Promise<Delivery | undefined> {
  const [row] = await db.query<Delivery>(
    `select ${ofDelivery} from webhook_deliveries where wbucket = $1 and walletaddr = $2 and hook = $3 and not is_done
     order by id limit 1`,
    [walletBucket(wallet), wallet, hook],
  )
  return row
}

export const addTest = (db: Db, wallet: string, hook: string) =>
  db.query(
    `insert into webhook_deliveries (wbucket, walletaddr, hook, id, event, peer, ms) values ($1, $2, $3, $4, 'test', $2, $5)
     on conflict do nothing`,
    [walletBucket(wallet), wallet, hook, -db.now(), db.now()],
  )

/** Lets a delivery be told once more; answers whether there is one. */
export async function replay(db: Db, wallet: string, hook: string, id: number): Promise<boolean> {
  const rows = await db.query<{ id: number }>(
    `update webhook_deliveries set is_done = false, attempt = 0
     where wbucket = $1 and walletaddr = $2 and hook = $3 and id = $4 returning id`,
    [walletBucket(wallet), wallet, hook, id],
  )
  return rows.length > 0
}

/** Notes how a try went. */
export const noteTry = (db: Db, wallet: string, hook: string, id: number, status: number, isDone: boolean) =>
  db.query(
    `update webhook_deliveries set attempt = attempt + 1, status = $5, tried_ms = $6, is_done = $7
     where wbucket = $1 and walletaddr = $2 and hook = $3 and id = $4`,
    [walletBucket(wallet), wallet, hook, id, status, db.now(), isDone],
  )

/** Since when no delivery has succeeded; null after one did. */
export const noteFailing = (db: Db, wallet: string, hook: string, since: number | null) =>
  db.query(
    'update webhooks set failing_ms = $4 where wbucket = $1 and walletaddr = $2 and id = $3 and failing_ms is distinct from $4',
    [walletBucket(wallet), wallet, hook, since],
  )

export const turnOff = (db: Db, wallet: string, hook: string) =>
  db.query('update webhooks set is_on = false where wbucket = $1 and walletaddr = $2 and id = $3', [
    walletBucket(wallet),
    wallet,
    hook,
  ])

/** Deletes the oldest ones where there are too many. */
export const trim = (db: Db, wallet: string, hook: string) =>
  db.query(
    `delete from webhook_deliveries where wbucket = $1 and walletaddr = $2 and hook = $3 and id < (
       select id from webhook_deliveries where wbucket = $1 and walletaddr = $2 and hook = $3
       order by id desc offset ${mostKept} limit 1)`,
    [walletBucket(wallet), wallet, hook],
  )

/** Deletes deliveries that are a month old. */
export const deleteOldDeliveries = (db: Db) =>
  db.query('delete from webhook_deliveries where ms < $1', [db.now() - 30 * 86_400_000])
