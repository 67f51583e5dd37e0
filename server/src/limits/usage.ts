// What wallets and network addresses use of their quotas of a day: in memory, and added to a table once
// a second.

import type { Logger } from 'pino'
import type { Db } from '../db/pool.ts'
import { mac } from '../lib/mac.ts'
import { repeat } from '../lib/repeat.ts'
import { walletBucket } from '../values/bucket.ts'

const names = ['bytes', 'strangers', 'comments', 'communities', 'reports'] as const
export type Counted = (typeof names)[number]
export type Counts = Record<Counted, number>

/** What is known of a wallet or a network address. */
export interface Usage {
  /** Its `walletaddr` in the table. */
  row: string
  day: number
  /** On all instances today, as it was last read. */
  stored: Counts
  /** Counted here and not added to the table yet; and what is being added. */
  unsent: Counts
  sending: Counts
}

const pause = 1_000
const mostSent = 5_000

export const dayOf = (ms: number): number => Math.floor(ms / 86_400_000)

export const none = (): Counts => ({ bytes: 0, strangers: 0, comments: 0, communities: 0, reports: 0 })
export const newUsage = (row: string, day: number): Usage => ({
  row,
  day,
  stored: none(),
  unsent: none(),
  sending: none(),
})

/** Sends every second, and a last time when disposed of. */
export function sendRegularly(db: Db, log: Logger, changed: Map<string, Usage>): AsyncDisposable {
  let isAway = false
  const sendAll = async () => {
    try {
      while (changed.size > 0) await send(db, changed)
      isAway = false
    } catch (error) {
      if (!isAway) log.warn(`what is used of quotas is not stored: ${(error as Error).message}`)
      isAway = true
    }
  }
  const rounds = repeat(pause, sendAll)
  return {
    async [Symbol.asyncDispose]() {
      await rounds[Symbol.asyncDispose]()
      await sendAll()
    },
  }
}

/** Adds what was counted to the table, and reads what all instances have counted. */
async function send(db: Db, changed: Map<string, Usage>): Promise<void> {
  const sent = new Map(changed.entries().take(mostSent))
  const byRow = new Map<string, Usage>()
  for (const [key, usage] of sent) {
    usage.sending = usage.unsent
    usage.unsent = none()
    changed.delete(key)
    byRow.set(usage.row, usage)
  }
  const day = dayOf(db.now())
  try {
    const sums = await addUsage(
      db,
      day,
      Array.from(byRow, ([walletaddr, { sending }]) => ({ walletaddr, ...sending })),
    )
    for (const { walletaddr, ...stored } of sums) Object.assign(byRow.get(walletaddr)!, { day, stored })
  } catch (error) {
    for (const [key, usage] of sent) {
      for (const quota of names) usage.unsent[quota] += usage.sending[quota]
      changed.set(key, usage)
    }
    throw error
  } finally {
    for (const usage of sent.values()) usage.sending = none()
  }
}

/** In the order of keys, so that two instances cannot wait for each other. */
const addToTable = `
  insert into wallet_usage as u (wbucket, walletaddr, day, bytes, strangers, comments, communities, reports)
  select l.bucket, n.walletaddr, $1::integer, n.bytes, n.strangers, n.comments, n.communities, n.reports
  from buckets l join unnest($2::integer[], $3::text[] collate "C", $4::int8[], $5::int8[], $6::int8[], $7::int8[], $8::int8[])
    as n (wbucket, walletaddr, bytes, strangers, comments, communities, reports) on n.wbucket = l.bucket
  where l.bucket = any ($2) order by l.bucket, n.walletaddr
  on conflict (wbucket, walletaddr, day) do update set bytes = u.bytes + excluded.bytes,
    strangers = u.strangers + excluded.strangers, comments = u.comments + excluded.comments,
    communities = u.communities + excluded.communities, reports = u.reports + excluded.reports
  returning walletaddr, bytes, strangers, comments, communities, reports`

type WalletCounts = Counts & { walletaddr: string }

/** Adds to what was used on a day. Answers what has been used on it. */
export const addUsage = (db: Db, day: number, used: WalletCounts[]): Promise<WalletCounts[]> =>
  db.query<WalletCounts>(addToTable, [
    day,
    used.map(({ walletaddr }) => walletBucket(walletaddr)),
    used.map(({ walletaddr }) => walletaddr),
    ...names.map((quota) => used.map((counts) => counts[quota])),
  ])

/** What an erasure keeps of a wallet in place of its address. */
export const erasureHash = (secret: string, wallet: string): Buffer => mac(secret, 'erasure', wallet)
/** The `walletaddr` of what a wallet has used that was erased. */
export const rowOfErased = (hash: Buffer): string => `erased ${hash.toString('base64url')}`

/** Adds what was used under one name to what was used under another. */
export async function moveUsage(db: Db, from: string, to: string): Promise<void> {
  const rows = await db.query<Counts & { day: number }>(
    `delete from wallet_usage where wbucket = $1 and walletaddr = $2
     returning day, bytes, strangers, comments, communities, reports`,
    [walletBucket(from), from],
  )
  for (const { day, ...used } of rows) await addUsage(db, day, [{ walletaddr: to, ...used }])
}

/** Deletes what was used before today. */
export const deleteOldUsage = (db: Db) =>
  db.query('delete from wallet_usage where day < $1', [dayOf(db.now())])
