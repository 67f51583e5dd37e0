// Completes the copies of conversations (copies.ts) besides changes: finds those that are behind, makes them, and deletes those
// of what is gone.

import type { Db } from '../db/pool.ts'
import { hour } from '../lib/times.ts'
import { allBuckets, numberAt, placeOf, walletBucket } from '../values/bucket.ts'
import { copiesOfRow, insertCopies, type Pair, readPage } from './copies.ts'

export interface Change {
  pair: Pair
  /** This is a number of the pair's bucket, at or after the change; undefined when that is not known. */
  number: number | undefined
}

const readVersions = `
  select walletaddr, peer, version from conversation_copies
  where wbucket = any ($1::integer[]) and (wbucket, walletaddr, peer) in (
    select * from unnest($1::integer[], $2::text[], $3::text[]) as u (wbucket, wallet, peer))`

/** Returns the conversations whose copies may not show a change yet. */
export async function findBehind(db: Db, changes: Change[]): Promise<Pair[]> {
  // The last change of a conversation counts; one without a number is always applied.
  const last = new Map<string, Change>()
  for (const { pair, number } of changes) {
    const { place } = placeOf(...pair)
    const known = last.get(place)
    last.set(place, { pair, number: known ? greatest(known.number, number) : number })
  }
  if (last.size === 0) return []
  const ends = [...last.values()].flatMap(({ pair: [one, other] }) => [
    { wallet: one, peer: other },
    { wallet: other, peer: one },
  ])
  const found = await db.query<{ walletaddr: string; peer: string; version: number }>(readVersions, [
    ends.map(({ wallet }) => walletBucket(wallet)),
    ends.map(({ wallet }) => wallet),
    ends.map(({ peer }) => peer),
  ])
  const versions = new Map(found.map(({ walletaddr, peer, version }) => [`${walletaddr} ${peer}`, version]))
  const shows = (wallet: string, peer: string, number = Infinity) =>
    (versions.get(`${wallet} ${peer}`) ?? -1) >= number
  return [...last.values()]
    .filter(({ pair: [one, other], number }) => !shows(one, other, number) || !shows(other, one, number))
    .map(({ pair }) => pair)
}

const greatest = (one: number | undefined, other: number | undefined) =>
  one === undefined || other === undefined ? undefined : Math.max(one, other)

/** The copy of a deleted conversation stays for this long, in milliseconds: longer than any older copy can be on its way. */
const goneLifetime = hour

/** Deletes copies of what is gone. */
export async function deleteGoneCopies(db: Db): Promise<void> {
  await db.query('delete from conversation_copies where id is null and version < $1', [
    numberAt(db.now() - goneLifetime),
  ])
}

const pageSize = 5000

/** Makes the copies of all conversations, for a database that is moved onto a cluster. Returns their number. */
export async function fillCopies(db: Pick<Db, 'query'>, signal?: AbortSignal): Promise<number> {
  let filled = 0
  for (const bucket of allBuckets)
    for (let last: Pair = ['', '']; ;) {
      signal?.throwIfAborted()
      const { number, rows } = await readPage(db, bucket, last, pageSize)
      const end = rows.at(-1)
      if (!end) break
      const copies = []
      for (const row of rows) copies.push(...(await copiesOfRow(db, [row.a, row.b], number, row)))
      await insertCopies(db, copies)
      filled += rows.length
      last = [end.a, end.b]
    }
  return filled
}
