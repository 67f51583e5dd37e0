// These rows say what waits for a webhook: for each chat, and for direct messages, from where to where in the log. A row is there
// while something waits, so a webhook for which nothing waits has none.

import type { Db } from '../../db/pool.ts'
import { keyOf, ofWallet } from '../../db/own-rows.ts'

/** A range of the log in which something waits for a webhook. */
export interface Waiting {
  wbucket: number
  walletaddr: string
  hook: string
  version: number
  events: string[]
  /** The only peer that the webhook is about. */
  of_peer: string | null
  /** The chat; empty for direct messages. */
  chat: string
  from_id: number
  to_id: number
  to_ms: number
}

/** The maximum number of rows of a webhook: two for each chat that a wallet may join. */
const most = 4_000

/** A range of what waits, from `from_id` on. */
export type Range = Pick<Waiting, 'chat' | 'version' | 'events' | 'from_id' | 'to_id'> & {
  peer: string | null
}

const ofHook = `${ofWallet} and hook = $3`

export async function extendWaiting(tx: Db, waiting: Waiting[]): Promise<void> {
  // A webhook may have both posts and events of a chat on one page, and a row is changed once by a statement.
  const merged = new Map<string, Waiting>()
  for (const one of waiting) {
    const key = JSON.stringify([one.walletaddr, one.hook, one.chat, one.version])
    const known = merged.get(key)
    merged.set(key, {
      ...one,
      from_id: Math.min(one.from_id, known?.from_id ?? one.from_id),
      to_id: Math.max(one.to_id, known?.to_id ?? 0),
      to_ms: Math.max(one.to_ms, known?.to_ms ?? 0),
    })
  }
  for (const [wbucket, ofBucket] of Map.groupBy(merged.values(), (one) => one.wbucket))
    await tx.query(extend, [wbucket, JSON.stringify(ofBucket)])
}

const extend = `
  insert into webhook_waiting as w
    (wbucket, walletaddr, hook, chat, version, events, peer, from_id, to_id, to_ms)
  select l.bucket, d.walletaddr, d.hook, d.chat, d.version, d.events, d.of_peer, d.from_id, d.to_id, d.to_ms
  from buckets l cross join json_to_recordset($2::json) as d
    (walletaddr text, hook text, chat text, version integer, events text[], of_peer text, from_id bigint, to_id bigint, to_ms bigint)
  where l.bucket = $1
  order by d.walletaddr collate "C", d.hook collate "C", d.chat collate "C", d.version
  on conflict (wbucket, walletaddr, hook, chat, version) do update
    set to_id = greatest(w.to_id, excluded.to_id), to_ms = greatest(w.to_ms, excluded.to_ms)`

/** Returns the two ranges of a webhook that begin first: the next delivery lies in the first one, before the second begins. */
export const findFirst = (db: Db, wallet: string, hook: string) =>
  db.query<Range>(
    `select chat, version, events, peer, from_id, to_id from webhook_waiting where ${ofHook} order by from_id limit 2`,
    keyOf(wallet, hook),
  )

/** Notes that all of a range up to an id was sent or will not be. */
export async function passWaiting(
  tx: Db,
  wallet: string,
  hook: string,
  { chat, version }: Pick<Range, 'chat' | 'version'>,
  upTo: number,
): Promise<void> {
  const of = keyOf(wallet, hook, chat, version, upTo)
  const ofRange = `${ofHook} and chat = $4 and version = $5`
  // It may have been extended since it was read.
  const ended = await tx.query(
    `delete from webhook_waiting where ${ofRange} and to_id <= $6 returning version`,
    of,
  )
  if (ended.length === 0)
    await tx.query(
      `update webhook_waiting set from_id = $6::bigint + 1 where ${ofRange} and from_id <= $6`,
      of,
    )
}

/** Drops the ranges that end first where there are too many. */
export const trimWaiting = (db: Db, wallet: string, hook: string) =>
  db.query(
    `delete from webhook_waiting where ${ofHook} and to_id < (
       select to_id from webhook_waiting where ${ofHook} order by to_id desc offset ${most - 1} limit 1)`,
    keyOf(wallet, hook),
  )

/** Deletes what has waited for a month. */
export const deleteOldWaiting = (db: Db, before: number) =>
  db.query('delete from webhook_waiting where to_ms < $1', [before])
