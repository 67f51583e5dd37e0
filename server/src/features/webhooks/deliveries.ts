// What webhooks are told: a row for each entry of the log that concerns one, until 30 days are over.

import type { Db } from '../../db/pool.ts'
import { walletBucket } from '../../values/bucket.ts'

/** How many of one webhook are kept. */
const mostKept = 10_000
/** After so many deliveries of a webhook, about, the oldest of those that are too many are deleted. A prime: numbers have strides. */
export const trimEvery = 97
/** How many are listed where no number is asked for. */
const fewListed = 100

export interface Delivery {
  id: number
  event: string
  peer: string
  /** The chat of it; null for direct messages. */
  chat: string | null
  /** Of a deletion: the message. */
  about: number | null
  ms: number
  attempt: number
  status: number | null
  tried_ms: number | null
  is_done: boolean
  answered: 'waiting' | 'posted' | 'refused' | null
}

const columns = 'id, event, peer, chat, about, ms, attempt, status, tried_ms, is_done, answered'
const ofHook = 'wbucket = $1 and walletaddr = $2 and hook = $3'
const keyOf = (wallet: string, hook: string) => [walletBucket(wallet), wallet, hook]

interface Asked {
  limit?: number
  before?: number
  failed?: boolean
}

/** The latest first. Tests have ids of their own, so the order is that of times. */
export const findDeliveries = (
  db: Db,
  wallet: string,
  hook: string,
  { limit = fewListed, before, failed }: Asked,
) =>
  db.query<Delivery>(
    `select ${columns} from webhook_deliveries where ${ofHook}
       and ($4::bigint is null or (ms, id) < (select ms, id from webhook_deliveries where ${ofHook} and id = $4))
       and (not $5 or status not between 200 and 299)
     order by ms desc, id desc limit $6`,
    [...keyOf(wallet, hook), before ?? null, failed ?? false, limit],
  )

/** The first one that waits; later ones wait for it. */
export async function findNext(db: Db, wallet: string, hook: string): Promise<Delivery | undefined> {
  const [row] = await db.query<Delivery>(
    `select ${columns} from webhook_deliveries where ${ofHook} and not is_done order by id limit 1`,
    keyOf(wallet, hook),
  )
  return row
}

/** The webhooks that are on and have something to be told. */
export const findWaitingHooks = (db: Db) =>
  db.query<{ walletaddr: string; hook: string }>(
    `select w.walletaddr, w.id as hook from webhooks w where w.is_on and exists (
       select 1 from webhook_deliveries d
       where d.wbucket = w.wbucket and d.walletaddr = w.walletaddr and d.hook = w.id and not d.is_done)`,
  )

export const addTest = (db: Db, wallet: string, hook: string) =>
  db.query(
    `insert into webhook_deliveries (wbucket, walletaddr, hook, id, event, peer, ms) values ($1, $2, $3, $4, 'test', $2, $5)
     on conflict do nothing`,
    [...keyOf(wallet, hook), -db.now(), db.now()],
  )

/** Lets a delivery be told once more; answers whether there is one. */
export async function replay(db: Db, wallet: string, hook: string, id: number): Promise<boolean> {
  const rows = await db.query<{ id: number }>(
    `update webhook_deliveries set is_done = false, attempt = 0 where ${ofHook} and id = $4 returning id`,
    [...keyOf(wallet, hook), id],
  )
  return rows.length > 0
}

/** How a try went. */
export interface Try {
  status: number
  isDone: boolean
  /** What is to be posted, where the receiver of a command has answered. */
  answer?: string | undefined
}

/** Notes a try; answers whether there is an answer to post, which is so once. */
export async function noteTry(
  db: Db,
  wallet: string,
  hook: string,
  id: number,
  { status, isDone, answer }: Try,
): Promise<boolean> {
  const [row] = await db.query<{ isNew: boolean }>(
    `update webhook_deliveries d set attempt = d.attempt + 1, status = $5, tried_ms = $6, is_done = $7,
       answer = case when d.answered is null then $8 else d.answer end,
       answered = case when d.answered is null and $8::text is not null then 'waiting' else d.answered end
     where ${ofHook} and id = $4 returning coalesce(answered = 'waiting' and answer = $8, false) as "isNew"`,
    [...keyOf(wallet, hook), id, status, db.now(), isDone, answer ?? null],
  )
  return row?.isNew ?? false
}

/** Of a delivery that may not be told any more. */
export const forget = (db: Db, wallet: string, hook: string, id: number) =>
  db.query(`delete from webhook_deliveries where ${ofHook} and id = $4`, [...keyOf(wallet, hook), id])

/** What a command was answered with, while that is not posted. */
export async function findAnswer(db: Db, wallet: string, hook: string, id: number) {
  const [row] = await db.query<{ chat: string; answer: string }>(
    `select chat, answer from webhook_deliveries where ${ofHook} and id = $4 and answered = 'waiting'`,
    [...keyOf(wallet, hook), id],
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
  db.query(`update webhook_deliveries set answer = null, answered = $5 where ${ofHook} and id = $4`, [
    ...keyOf(wallet, hook),
    id,
    answered,
  ])

/** Deletes the oldest ones where there are too many, also those that wait. */
export const trim = (db: Db, wallet: string, hook: string) =>
  db.query(
    `delete from webhook_deliveries where ${ofHook} and id < (
       select id from webhook_deliveries where ${ofHook} order by id desc offset ${mostKept - 1} limit 1)`,
    keyOf(wallet, hook),
  )

/** Deletes deliveries that are a month old. */
export const deleteOldDeliveries = (db: Db) =>
  db.query('delete from webhook_deliveries where ms < $1', [db.now() - 30 * 86_400_000])
