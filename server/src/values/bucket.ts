// In which of 64 buckets a row lies: it leads the keys of all large tables (migrations/0001_ids.sql).

import { hash } from 'node:crypto'

const buckets = 64

export const allBuckets: readonly number[] = Array.from({ length: buckets }, (_, bucket) => bucket)

/** The bucket of a text, 0 to 63. Never change it: rows lie where it said when they were written. */
export const bucketOf = (text: string): number =>
  // As text the hash is there in a third of the time.
  hash('sha256', text, 'latin1').charCodeAt(0) % buckets

/** Two addresses in the order of their bytes, as the database orders them. */
export const inOrder = (one: string, other: string): [a: string, b: string] =>
  isBefore(other, one) ? [other, one] : [one, other]

/** Only from U+D800 on UTF-16 and UTF-8 order characters differently. */
const isBefore = (one: string, other: string): boolean =>
  /[\ud800-\uffff]/.test(one + other) ? Buffer.compare(Buffer.from(one), Buffer.from(other)) < 0 : one < other

/** A conversation, the same from either end, and its bucket. */
export function placeOf(one: string, other: string): { bucket: number; place: string } {
  const place = inOrder(one, other).join(' ')
  return { bucket: bucketOf(place), place }
}

export const pairBucket = (one: string, other: string): number => placeOf(one, other).bucket

/** Of a group chat, by the key that chats are compared by. */
export const chatBucket = (chat: string): number => bucketOf(chat)

/** Of what belongs to one wallet or address. */
export const walletBucket = (address: string): number => bucketOf(address)

/** Of the comments on an NFT; `nftid` is decimal digits. */
export const tokenBucket = (nftaddr: string, nftid: string): number => bucketOf(`${nftaddr} ${BigInt(nftid)}`)

/** The bucket that an id names. */
export const bucketOfId = (id: number): number => id % buckets

/** The number of an id: numbers are unique over all buckets of one machine, and increase. */
export const numberOfId = (id: number): number => Math.floor(id / buckets)

/** The least and the greatest id with a number. */
export const firstIdOf = (number: number): number => number * buckets
export const lastIdOf = (number: number): number => number * buckets + buckets - 1

/**
 * A cluster counts from the milliseconds since 2025 on, 64 numbers for each: its number at a time
 * (server/cluster/ids.sql).
 */
export const numberAt = (ms: number): number => (ms - Date.UTC(2025, 0)) * numbersPerMs
export const numbersPerMs = 64
