// Keys that programs send in place of a token. A key is 32 random bytes, of which the table has a hash. Six of its bits are
// the bucket of its wallet, so that looking for it touches one node of a cluster.
//
// A key that was found is remembered for a moment. So most requests ask no table, and one that was deleted is refused within
// two seconds on every instance; on this machine at once.

import { createHash, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { coalesced } from '../db/coalesce.ts'
import type { Db } from '../db/pool.ts'
import { alone, type Siblings } from '../instances/siblings.ts'
import { walletBucket } from '../values/bucket.ts'
import { apiKeyPrefix } from '../values/formats.ts'

/** What a request knows of the key that it came with. */
export interface KeyOfCaller {
  id: string
  /** What it may do (values/scopes.ts). */
  scopes: string[]
  hash: Buffer
}

/** A key that is valid. */
interface FoundKey extends KeyOfCaller {
  address: string
  /** In epoch milliseconds; Infinity when it never expires. */
  expires: number
}

export interface ApiKeys {
  /** Undefined when it is not valid. */
  find: (key: string) => Promise<FoundKey | undefined>
  /** Whether a key of a wallet was deleted, for what stays open: as it was known at the last call, which asks anew. */
  isGone: (wallet: string, key: KeyOfCaller) => boolean
  /** Deletes all keys of a wallet. */
  deleteAll: (wallet: string) => Promise<void>
  /** After keys were deleted: reads them anew on this machine. */
  forget: () => Promise<void>
}

const shape = /^prl_[\w-]{43}$/
const buckets = 64

export const hashOfKey = (key: string): Buffer => createHash('sha256').update(key).digest()

/** A new key of a wallet. */
export function newApiKey(wallet: string): string {
  const bytes = randomBytes(32)
  bytes[0] = bytes[0]! - (bytes[0]! % buckets) + walletBucket(wallet)
  return apiKeyPrefix + bytes.toString('base64url')
}

const bucketOfKey = (key: string): number =>
  Buffer.from(key.slice(apiKeyPrefix.length), 'base64url')[0]! % buckets

/** How long a key is remembered, in milliseconds. */
const remembered = 1_500
const day = 86_400_000

interface Row {
  id: string
  walletaddr: string
  scopes: string[]
  expires_ms: number | null
  last_used_day: number | null
}

const findByHash = coalesced<Row>(
  'select id, walletaddr, scopes, expires_ms, last_used_day from api_keys where wbucket = $1 and hash = $2',
  ['integer', 'bytea'],
  { atOnce: 32 },
)

const markUsed = `
  update api_keys set last_used_day = $3
  where wbucket = $1 and hash = $2 and (last_used_day is null or last_used_day < $3)`

/** A key that is looked for, or was found; `since` is when it was asked for. */
interface Known {
  found: Promise<FoundKey | undefined>
  isGone: boolean
  since: number
}

export function openApiKeys(db: Db, log: Logger, siblings: Siblings = alone): ApiKeys {
  const known = new LRUCache<string, Known>({ maxSize: 20_000, sizeCalculation: () => 1 })
  siblings.onAsked('changed', () => known.clear())

  async function read(bucket: number, hash: Buffer): Promise<FoundKey | undefined> {
    const [row] = await findByHash(db, [bucket, hash])
    if (!row) return undefined
    const today = Math.floor(db.now() / day)
    if ((row.last_used_day ?? 0) < today)
      await db.query(markUsed, [bucket, hash, today]).catch((error: Error) => {
        log.warn({ err: error }, 'the day on which an API key was used could not be kept')
      })
    const { id, walletaddr: address, scopes, expires_ms } = row
    return { id, scopes, hash, address, expires: expires_ms ?? Infinity }
  }

  /** A read that fails is not remembered. */
  async function settle(one: Known): Promise<void> {
    try {
      one.isGone = (await one.found) === undefined
    } catch {
      one.since = -Infinity
    }
  }

  /** By its hash, so that no key is in memory for longer than its request. */
  function lookUp(bucket: number, hash: Buffer): Known {
    const name = hash.toString('base64url')
    const before = known.get(name)
    if (before && performance.now() - before.since < remembered) return before
    const one: Known = {
      found: read(bucket, hash),
      isGone: before?.isGone ?? false,
      since: performance.now(),
    }
    known.set(name, one)
    void settle(one)
    return one
  }

  async function forget() {
    known.clear()
    await siblings.ask('changed')
  }

  return {
    async find(key) {
      if (!shape.test(key)) return undefined
      const found = await lookUp(bucketOfKey(key), hashOfKey(key)).found
      return found && found.expires > db.now() ? found : undefined
    },
    isGone: (wallet, { hash }) => lookUp(walletBucket(wallet), hash).isGone,
    async deleteAll(wallet) {
      await db.query('delete from api_keys where wbucket = $1 and walletaddr = $2', [
        walletBucket(wallet),
        wallet,
      ])
      await forget()
    },
    forget,
  }
}
