import { randomBytes } from 'node:crypto'
import type { NewWebhook } from '@parley/sdk/contract/webhooks.ts'
import type { Db } from '../../db/pool.ts'
import { chatKey } from '../../messages/chat-key.ts'
import { walletBucket } from '../../values/bucket.ts'
import type { GrantTx } from '../../messages/granting.ts'
import { type Keys, newKeys, type SigningKeys } from './sign.ts'

/** A chat is narrowed to by its key. */
const keyOf = (chat: string | undefined) => (chat === undefined ? null : chatKey(chat))

/** How many a wallet has. */
export const most = 5
/** How long the keys before a rotation sign too, in milliseconds. */
const day = 86_400_000

export interface Hook extends Keys {
  id: string
  url: string
  events: NewWebhook['events']
  chat: string | null
  peer: string | null
  is_on: boolean
  created_ms: number
  failing_ms: number | null
  old_secret: string | null
  old_private_key: string | null
  old_until_ms: number | null
}

const columns = `id, url, events, chat, peer, is_on, secret, public_key, private_key, created_ms, failing_ms,
  old_secret, old_private_key, old_until_ms`

const ofHook = 'wbucket = $1 and walletaddr = $2 and id = $3'

export const findHooks = (db: Db, wallet: string) =>
  db.query<Hook>(
    `select ${columns} from webhooks where wbucket = $1 and walletaddr = $2 order by created_ms, id`,
    [walletBucket(wallet), wallet],
  )

export async function findHook(db: Db, wallet: string, id: string): Promise<Hook | undefined> {
  const [row] = await db.query<Hook>(`select ${columns} from webhooks where ${ofHook}`, [
    walletBucket(wallet),
    wallet,
    id,
  ])
  return row
}

/** Makes one; undefined when the wallet has as many as it may. */
export async function createHook(
  tx: GrantTx<'webhooks'>,
  wallet: string,
  { url, events, chat, peer, is_on = true }: NewWebhook,
) {
  if ((await findHooks(tx, wallet)).length >= most) return undefined
  const id = randomBytes(12).toString('base64url')
  const { secret, public_key: publicKey, private_key: privateKey } = newKeys()
  await tx.query(
    `insert into webhooks (wbucket, walletaddr, id, url, events, chat, peer, is_on, secret, public_key, private_key, created_ms)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      walletBucket(wallet),
      wallet,
      id,
      url,
      events,
      keyOf(chat),
      peer ?? null,
      is_on,
      secret,
      publicKey,
      privateKey,
      tx.now(),
    ],
  )
  return findHook(tx, wallet, id)
}

/** Takes events away, or turns it on or off. Answers whether that was all: nothing is changed where something would be added. */
export async function narrowHook(
  db: Db,
  wallet: string,
  id: string,
  { url, events, chat, peer, is_on = true }: NewWebhook,
): Promise<boolean> {
  const changed = await db.query(
    `update webhooks set events = $5, is_on = $6, failing_ms = null
     where ${ofHook} and url = $4 and events @> $5 and chat is not distinct from $7 and peer is not distinct from $8
     returning id`,
    [walletBucket(wallet), wallet, id, url, events, is_on, keyOf(chat), peer ?? null],
  )
  return changed.length > 0
}

export const changeHook = (
  tx: GrantTx<'webhooks'>,
  wallet: string,
  id: string,
  { url, events, chat, peer, is_on = true }: NewWebhook,
) =>
  tx.query(
    `update webhooks set url = $4, events = $5, is_on = $6, chat = $7, peer = $8, failing_ms = null where ${ofHook}`,
    [walletBucket(wallet), wallet, id, url, events, is_on, keyOf(chat), peer ?? null],
  )

/** Gives it other keys; those that it has sign for another day. */
export async function rotate(db: Db, wallet: string, id: string): Promise<void> {
  const { secret, public_key: publicKey, private_key: privateKey } = newKeys()
  await db.query(
    `update webhooks set old_secret = secret, old_private_key = private_key, old_until_ms = $4, secret = $5, public_key = $6,
       private_key = $7 where ${ofHook}`,
    [walletBucket(wallet), wallet, id, db.now() + day, secret, publicKey, privateKey],
  )
}

/** What signs a delivery now. */
export function keysOf(hook: Hook, now: number): SigningKeys[] {
  const { old_secret: secret, old_private_key: privateKey, old_until_ms: until } = hook
  const isOver = secret === null || privateKey === null || (until ?? 0) <= now
  return isOver ? [hook] : [hook, { secret, private_key: privateKey }]
}

export const deleteHook = (db: Db, wallet: string, id: string) =>
  db.transaction(async (tx) => {
    const of = [walletBucket(wallet), wallet, id]
    await tx.query(`delete from webhooks where ${ofHook}`, of)
    await tx.query('delete from webhook_deliveries where wbucket = $1 and walletaddr = $2 and hook = $3', of)
  })

/** Since when no delivery has succeeded; null after one did. */
export const noteFailing = (db: Db, wallet: string, hook: string, since: number | null) =>
  db.query(`update webhooks set failing_ms = $4 where ${ofHook} and failing_ms is distinct from $4`, [
    walletBucket(wallet),
    wallet,
    hook,
    since,
  ])

export const turnOff = (db: Db, wallet: string, hook: string) =>
  db.query(`update webhooks set is_on = false where ${ofHook}`, [walletBucket(wallet), wallet, hook])
