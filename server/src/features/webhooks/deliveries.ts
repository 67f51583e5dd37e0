// These rows say what was sent to webhooks: one for each of the latest deliveries, and for each that will be retried. A delivery
// that waits has none (waiting.ts).

import type { Db } from '../../db/pool.ts'
import { keyOf, ofWallet } from '../../db/own-rows.ts'
import { day } from '../../lib/times.ts'

/** The number of deliveries that are stored for a webhook; as many more may wait for a retry or to be posted. */
export const mostStored = 100
/**
 * The maximum bytes that the deliveries of a webhook fill, with their indexes: they count for its wallet when the webhook is
 * made.
 */
export const bytesStored = 2 * mostStored * 640

export interface Delivery {
  id: number
  event: string
  peer: string
  /** The chat of the delivery; null for direct messages. */
  chat: string | null
  /** The message that was deleted. */
  about: number | null
  ms: number
  attempt: number
  status: number | null
  tried_ms: number | null
  is_done: boolean
  answered: 'waiting' | 'posted' | 'refused' | null
}

const columns = 'id, event, peer, chat, about, ms, attempt, status, tried_ms, is_done, answered'
const ofHook = `${ofWallet} and hook = $3`

interface ListQuery {
  limit: number
  before?: number
  failed?: boolean
}

/** Returns the latest first. Tests have ids of their own, so the order is that of times. */
export const findDeliveries = (db: Db, wallet: string, hook: string, { limit, before, failed }: ListQuery) =>
  db.query<Delivery>(
    `select ${columns} from webhook_deliveries where ${ofHook}
       and ($4::bigint is null or (ms, id) < (select ms, id from webhook_deliveries where ${ofHook} and id = $4))
       and (not $5 or status not between 200 and 299)
     order by ms desc, id desc limit $6`,
    keyOf(wallet, hook, before ?? null, failed ?? false, limit),
  )

/** Returns the first one that waits; later ones wait for it. */
export async function findNext(db: Db, wallet: string, hook: string): Promise<Delivery | undefined> {
  const [row] = await db.query<Delivery>(
    `select ${columns} from webhook_deliveries where ${ofHook} and not is_done order by id limit 1`,
    keyOf(wallet, hook),
  )
  return row
}

/** Returns the webhooks that are on and for which something waits. */
export const findWaitingHooks = (db: Db) =>
  db.query<{ walletaddr: string; hook: string }>(
    `select w.walletaddr, w.id as hook from webhooks w where w.is_on and (
       exists (select 1 from webhook_deliveries d
         where d.wbucket = w.wbucket and d.walletaddr = w.walletaddr and d.hook = w.id and not d.is_done)
       or exists (select 1 from webhook_waiting r
         where r.wbucket = w.wbucket and r.walletaddr = w.walletaddr and r.hook = w.id))`,
  )

export const addTest = (db: Db, wallet: string, hook: string) =>
  db.query(
    `insert into webhook_deliveries (wbucket, walletaddr, hook, id, event, peer, ms) values ($1, $2, $3, $4, 'test', $2, $5)
     on conflict do nothing`,
    keyOf(wallet, hook, -db.now(), db.now()),
  )

/** Sends a delivery once more; returns whether there is one. */
export async function replay(db: Db, wallet: string, hook: string, id: number): Promise<boolean> {
  const rows = await db.query<{ id: number }>(
    `update webhook_deliveries set is_done = false, attempt = 0 where ${ofHook} and id = $4 returning id`,
    keyOf(wallet, hook, id),
  )
  return rows.length > 0
}

/** The result of an attempt. */
export interface Try {
  status: number
  isDone: boolean
  /** The text to post, where the receiver of a command has answered. */
  answer?: string | undefined
}

/**
 * Records an attempt, the first one or a later one; returns true when there is an answer to post, which is so once. For a webhook
 * that is gone nothing is noted.
 */
export async function noteTry(
  db: Db,
  wallet: string,
  hook: string,
  { id, event, peer, chat, about, ms }: Delivery,
  { status, isDone, answer }: Try,
): Promise<boolean> {
  const [row] = await db.query<{ isNew: boolean }>(
    `insert into webhook_deliveries as d
       (wbucket, walletaddr, hook, id, event, peer, chat, about, ms, attempt, status, tried_ms, is_done, answer, answered)
     select w.wbucket, w.walletaddr, w.id, $4::bigint, $9, $10, $11, $12::bigint, $13::bigint, 1, $5::smallint, $6::bigint,
       $7::boolean, $8, case when $8::text is not null then 'waiting' end
     from webhooks w where w.wbucket = $1 and w.walletaddr = $2 and w.id = $3
     on conflict (wbucket, walletaddr, hook, id) do update
     set attempt = d.attempt + 1, status = excluded.status, tried_ms = excluded.tried_ms, is_done = excluded.is_done,
       answer = case when d.answered is null then excluded.answer else d.answer end,
       answered = coalesce(d.answered, excluded.answered)
     returning coalesce(answered = 'waiting' and answer = $8, false) as "isNew"`,
    keyOf(wallet, hook, id, status, db.now(), isDone, answer ?? null, event, peer, chat, about, ms),
  )
  return row?.isNew ?? false
}

/** Deletes a delivery that may not be sent any more. */
export const forget = (db: Db, wallet: string, hook: string, id: number) =>
  db.query(`delete from webhook_deliveries where ${ofHook} and id = $4`, keyOf(wallet, hook, id))

/** Returns the answer to a command, while it is not posted. */
export async function findAnswer(db: Db, wallet: string, hook: string, id: number) {
  const [row] = await db.query<{ chat: string; answer: string }>(
    `select chat, answer from webhook_deliveries where ${ofHook} and id = $4 and answered = 'waiting'`,
    keyOf(wallet, hook, id),
  )
  return row
}

export const noteAnswer = (
  db: Db,
  wallet: string,
  hook: string,
  id: number,
  answered: 'posted' | 'refused',
) =>
  db.query(
    `update webhook_deliveries set answer = null, answered = $5 where ${ofHook} and id = $4`,
    keyOf(wallet, hook, id, answered),
  )

/**
 * Deletes the oldest ones where there are too many: of those that are done, and of tests. Others that will be retried were among
 * the latest before, so there are not more of them. An answer that must be posted is stored for a day.
 */
export const trim = (db: Db, wallet: string, hook: string) =>
  db.query(
    `delete from webhook_deliveries where ${ofHook} and id in (
       select id from (
         select id, is_done, row_number() over (partition by is_done order by ms desc, id desc) as place
         from webhook_deliveries
         where ${ofHook} and (is_done or event = 'test') and (answered is distinct from 'waiting' or tried_ms < $4)
       ) kept where place > ${mostStored})`,
    keyOf(wallet, hook, db.now() - day),
  )

/** Deletes deliveries that are a month old. */
export const deleteOldDeliveries = (db: Db, before: number) =>
  db.query('delete from webhook_deliveries where ms < $1', [before])
