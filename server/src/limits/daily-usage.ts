// Counts how much wallets and network addresses use of their daily quotas: in memory, and added to a table once a second.

import type { Logger } from 'pino'
import { dayOf } from '../db/clock.ts'
import type { Db } from '../db/pool.ts'
import { keyOf, ofAddress, ofWallet } from '../db/own-rows.ts'
import { mac } from '../lib/mac.ts'
import { repeat } from '../lib/repeat.ts'
import { hour } from '../lib/times.ts'
import { walletBucket } from '../values/bucket.ts'

const names = [
  'bytes',
  'strangers',
  'comments',
  'communities',
  'reports',
  'pictures',
  'files',
  'changes',
] as const
const columns = names.join(', ')
export type Counted = (typeof names)[number]
export type Counts = Record<Counted, number>

/** This is what is known of a wallet or a network address. */
export interface Usage {
  /** This is its `walletaddr` in the table. */
  row: string
  day: number
  /** This is the use on all instances today, as it was last read. */
  stored: Counts
  /** These are the counts that are not added to the table yet, and those that are being added. */
  unsent: Counts
  sending: Counts
  /** The table has these under the address of the wallet, which is being erased, and not yet under `row`. */
  moving?: Counts | undefined
}

const mostSent = 5_000

export const none = (): Counts => Object.fromEntries(names.map((name) => [name, 0])) as Counts
export const newUsage = (row: string, day: number): Usage => ({
  row,
  day,
  stored: none(),
  unsent: none(),
  sending: none(),
})

/**
 * Sends every second, or after other milliseconds, and a last time when disposed of. `secret` is the key for the hashes of
 * erasures.
 */
export function sendRegularly(
  db: Db,
  log: Logger,
  changed: Map<string, Usage>,
  secret: string,
  every = 1_000,
): AsyncDisposable {
  let isAway = false
  let before: Usage[] = []
  const sendAll = async () => {
    try {
      const sending = Array.from(changed.values())
      while (changed.size > 0) await send(db, changed)
      // This runs a round later, when an erasure that went on meanwhile has ended.
      await renameErased(db, before, secret)
      before = sending
      isAway = false
    } catch (error) {
      if (!isAway) log.warn(`what is used of quotas is not stored: ${(error as Error).message}`)
      isAway = true
    }
  }
  const rounds = repeat(every, sendAll)
  return {
    async [Symbol.asyncDispose]() {
      await rounds[Symbol.asyncDispose]()
      for (let n = 0; n < 2; n++) await sendAll()
    },
  }
}

/** Adds the counts to the table, and reads what all instances have counted. */
async function send(db: Db, changed: Map<string, Usage>): Promise<void> {
  const sent = new Map(changed.entries().take(mostSent))
  const byRow = new Map<string, Usage>()
  for (const [key, usage] of sent) {
    usage.sending = usage.unsent
    usage.unsent = none()
    changed.delete(key)
    byRow.set(usage.row, usage)
  }
  const today = dayOf(db.now())
  try {
    const sums = await addUsage(
      db,
      today,
      Array.from(byRow, ([walletaddr, { sending }]) => ({ walletaddr, ...sending })),
    )
    for (const { walletaddr, ...stored } of sums) {
      const usage = byRow.get(walletaddr)!
      if (usage.moving) for (const quota of names) stored[quota] += usage.moving[quota]
      Object.assign(usage, { day: today, stored })
    }
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

/** It follows the order of keys, so that two instances cannot wait for each other. */
const addToTable = `
  insert into wallet_usage as u (wbucket, walletaddr, day, ${columns})
  select l.bucket, n.walletaddr, $1::integer, ${names.map((name) => `n.${name}`).join(', ')}
  from buckets l join unnest($2::integer[], $3::text[] collate "C", ${names.map((_, i) => `$${i + 4}::int8[]`).join(', ')})
    as n (wbucket, walletaddr, ${columns}) on n.wbucket = l.bucket
  where l.bucket = any ($2) order by l.bucket, n.walletaddr
  on conflict (wbucket, walletaddr, day) do update
    set ${names.map((name) => `${name} = u.${name} + excluded.${name}`).join(', ')}
  returning walletaddr, ${columns}`

type WalletCounts = Counts & { walletaddr: string }

/** Adds to the use of a day. Returns the total of that day. */
export const addUsage = (db: Db, day: number, used: WalletCounts[]): Promise<WalletCounts[]> =>
  db.query<WalletCounts>(addToTable, [
    day,
    used.map(({ walletaddr }) => walletBucket(walletaddr)),
    used.map(({ walletaddr }) => walletaddr),
    ...names.map((quota) => used.map((counts) => counts[quota])),
  ])

/** An erasure stores this for a wallet in place of its address. */
export const erasureHash = (secret: string, wallet: string): Buffer => mac(secret, 'erasure', wallet)
/** Returns the `walletaddr` for the use of an erased wallet. */
export const rowOfErased = (hash: Buffer): string => `erased ${hash.toString('base64url')}`

/** Adds the use under one name to the use under another. */
export async function moveUsage(db: Db, from: string, to: string): Promise<void> {
  const rows = await db.query<Counts & { day: number }>(
    `delete from wallet_usage where ${ofWallet}
     returning day, ${columns}`,
    keyOf(from),
  )
  for (const { day, ...used } of rows) await addUsage(db, day, [{ walletaddr: to, ...used }])
}

/**
 * Moves counts that were added under the address of a wallet that another instance has erased, unless the wallet has signed in
 * again.
 */
async function renameErased(db: Db, usages: Usage[], secret: string): Promise<void> {
  // No address has a space.
  const wallets = usages.filter(({ row }) => !row.includes(' '))
  if (wallets.length === 0) return
  const hashes = wallets.map(({ row }) => erasureHash(secret, row))
  const erased = await db.query<{ hash: string }>(
    `select encode(wallet_hash, 'hex') as hash from erasures where wallet_hash = any($1::bytea[]) and erased_ms > $2`,
    [hashes, db.now() - 24 * hour],
  )
  const found = new Set(erased.map(({ hash }) => hash))
  for (const [i, usage] of wallets.entries()) {
    const { row } = usage
    if (!found.has(hashes[i]!.toString('hex')) || row.includes(' ')) continue
    const seen = await db.query(`select 1 as one from wallets_seen where ${ofAddress}`, keyOf(row))
    if (seen.length > 0) continue
    usage.row = rowOfErased(hashes[i]!)
    await db.transaction((tx) => moveUsage(tx, row, usage.row))
  }
}

/** Deletes the counts before today. */
export const deleteOldUsage = (db: Db) =>
  db.query('delete from wallet_usage where day < $1', [dayOf(db.now())])
