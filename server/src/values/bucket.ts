// Computes in which of 64 buckets a row lies: the bucket leads the keys of all large tables (migrations/0001_ids.sql).

import { hash } from 'node:crypto'
import { communityOf } from './chat.ts'

const buckets = 64

export const allBuckets: readonly number[] = Array.from({ length: buckets }, (_, bucket) => bucket)

/** Returns the bucket of a text, 0 to 63. Never change it: existing rows lie where it said when they were written. */
export const bucketOf = (text: string): number =>
  // As text the hash takes a third of the time.
  hash('sha256', text, 'latin1').charCodeAt(0) % buckets

/** Puts two addresses in the order of their bytes, as the database does. */
export const inOrder = (one: string, other: string): [a: string, b: string] =>
  isBefore(other, one) ? [other, one] : [one, other]

/** UTF-16 and UTF-8 order characters differently only from U+D800 on. */
const isBefore = (one: string, other: string): boolean =>
  isHigh.test(one) && isHigh.test(other)
    ? Buffer.compare(Buffer.from(one), Buffer.from(other)) < 0
    : one < other

const isHigh = /[\ud800-\uffff]/

/** Returns the place of a conversation, which is the same from either end, and its bucket. */
export function placeOf(one: string, other: string): { bucket: number; place: string } {
  const place = inOrder(one, other).join(' ')
  return { bucket: bucketOf(place), place }
}

export const pairBucket = (one: string, other: string): number => placeOf(one, other).bucket

/** Returns the bucket of a group chat by its comparison key: rooms lie with their community. */
export const chatBucket = (chat: string): number => bucketOf(communityOf(chat))

/** Returns the bucket of rows that belong to one wallet or address. */
export const walletBucket = (address: string): number => bucketOf(address)

/** Returns the bucket of the comments on an NFT; `nftid` is decimal digits. */
export const tokenBucket = (nftaddr: string, nftid: string): number => bucketOf(`${nftaddr} ${BigInt(nftid)}`)

export const bucketOfId = (id: number): number => id % buckets

/** Returns the number of an id: numbers are unique over all buckets of one machine, and increase. */
export const numberOfId = (id: number): number => Math.floor(id / buckets)

/** These return the least and the greatest id with a number. */
export const firstIdOf = (number: number): number => number * buckets
export const lastIdOf = (number: number): number => number * buckets + buckets - 1

/** A cluster counts 64 numbers for each millisecond since 2025: this returns its number at a time (server/cluster/ids.sql). */
export const numberAt = (ms: number): number => (ms - Date.UTC(2025, 0)) * numbersPerMs
export const numbersPerMs = 64
