import { mostWebhooks, type NewWebhook } from '@parley/sdk/contract/webhooks.ts'
import { insertInSlot, keyOf, ofWallet } from '../../db/own-rows.ts'
import type { Db } from '../../db/pool.ts'
import { newId } from '../../lib/ids.ts'
import { day } from '../../lib/times.ts'
import { chatKey } from '../../messages/chat-key.ts'
import type { GrantTx } from '../../messages/add-grant.ts'
import { type Keys, newKeys, type SigningKeys } from './sign.ts'

/** A filter names a chat by its key. */
const chatOf = (chat: string | undefined) => (chat === undefined ? null : chatKey(chat))

export interface Hook extends Keys {
  id: string
  url: string
  events: NewWebhook['events']
  chat: string | null
  peer: string | null
  is_on: boolean
  created_ms: number
  failing_ms: number | null
  slow_until_ms: number
  old_secret: string | null
  old_private_key: string | null
  old_until_ms: number | null
}

const columns = `id, url, events, chat, peer, is_on, secret, public_key, private_key, created_ms, failing_ms,
  slow_until_ms, old_secret, old_private_key, old_until_ms`

const ofHook = `${ofWallet} and id = $3`

export const findHooks = (db: Db, wallet: string) =>
  db.query<Hook>(`select ${columns} from webhooks where ${ofWallet} order by created_ms, id`, keyOf(wallet))

export async function findHook(db: Db, wallet: string, id: string): Promise<Hook | undefined> {
  const [row] = await db.query<Hook>(`select ${columns} from webhooks where ${ofHook}`, keyOf(wallet, id))
  return row
}

/** Makes a webhook; returns undefined when the wallet has reached its maximum. */
export async function createHook(
  tx: GrantTx<'webhooks'>,
  wallet: string,
  { url, events, chat, peer, is_on = true }: NewWebhook,
) {
  const { secret, public_key, private_key } = newKeys()
  const stored = await insertInSlot<Hook>(tx, { table: 'webhooks', most: mostWebhooks, columns }, wallet, {
    id: newId(),
    url,
    events,
    chat: chatOf(chat),
    peer: peer ?? null,
    is_on,
    secret,
    public_key,
    private_key,
    created_ms: tx.now(),
  })
  return typeof stored === 'string' ? undefined : stored
}

/** Removes events, or turns it on or off. Returns false when anything would be added: then nothing is changed. */
export async function narrowHook(
  db: Db,
  wallet: string,
  id: string,
  { url, events, chat, peer, is_on = true }: NewWebhook,
): Promise<boolean> {
  const changed = await db.query(
    `update webhooks set events = $5, is_on = $6, failing_ms = null,
       version = version + case when events <@ $5 and (is_on or not $6::boolean) then 0 else 1 end
     where ${ofHook} and url = $4 and events @> $5 and chat is not distinct from $7 and peer is not distinct from $8
     returning id`,
    keyOf(wallet, id, url, events, is_on, chatOf(chat), peer ?? null),
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
    `update webhooks set url = $4, events = $5, is_on = $6, chat = $7, peer = $8, failing_ms = null, version = version + 1
     where ${ofHook}`,
    keyOf(wallet, id, url, events, is_on, chatOf(chat), peer ?? null),
  )

/** Gives it other keys; the earlier ones sign for another day. */
export async function rotate(db: Db, wallet: string, id: string): Promise<void> {
  const { secret, public_key: publicKey, private_key: privateKey } = newKeys()
  await db.query(
    `update webhooks set old_secret = secret, old_private_key = private_key, old_until_ms = $4, secret = $5, public_key = $6,
       private_key = $7 where ${ofHook}`,
    keyOf(wallet, id, db.now() + day, secret, publicKey, privateKey),
  )
}

/** Returns the keys that sign a delivery now. */
export function keysOf(hook: Hook, now: number): SigningKeys[] {
  const { old_secret: secret, old_private_key: privateKey, old_until_ms: until } = hook
  const isOver = secret === null || privateKey === null || (until ?? 0) <= now
  return isOver ? [hook] : [hook, { secret, private_key: privateKey }]
}

export const deleteHook = (db: Db, wallet: string, id: string) =>
  db.transaction(async (tx) => {
    const of = keyOf(wallet, id)
    await tx.query(`delete from webhooks where ${ofHook}`, of)
    for (const table of ['webhook_waiting', 'webhook_deliveries'])
      await tx.query(`delete from ${table} where ${ofWallet} and hook = $3`, of)
  })

/** Notes since when no delivery has succeeded; null after one did. */
export const noteFailing = (db: Db, wallet: string, hook: string, since: number | null) =>
  db.query(
    `update webhooks set failing_ms = $4 where ${ofHook} and failing_ms is distinct from $4`,
    keyOf(wallet, hook, since),
  )

/** Returns true when one of the servers of a wallet has answered late. */
export async function isSlow(db: Db, wallet: string): Promise<boolean> {
  const slow = await db.query(
    `select id from webhooks where ${ofWallet} and slow_until_ms > $3 limit 1`,
    keyOf(wallet, db.now()),
  )
  return slow.length > 0
}

/** Notes until when the wallet of a webhook has the workers for slow servers; 0 after it has answered soon. */
export const noteSlow = (db: Db, wallet: string, hook: string, until: number) =>
  db.query(
    `update webhooks set slow_until_ms = $4 where ${ofHook} and slow_until_ms <> $4`,
    keyOf(wallet, hook, until),
  )

export const turnOff = (db: Db, wallet: string, hook: string) =>
  db.query(`update webhooks set is_on = false where ${ofHook}`, keyOf(wallet, hook))
