// Handles secrets of programs: API keys, and those in the addresses of incoming hooks. A secret is random bytes, of which a table
// has a hash. Six of its bits are the bucket of its wallet, so that searching it touches one node of a cluster.
//
// A found secret is cached for a moment. So most requests need no query, and a deleted secret is refused within two seconds on
// every instance; on this machine at once.

import { createHash, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { coalesced } from '../db/coalesce.ts'
import type { Db } from '../db/pool.ts'
import { alone, type Siblings } from '../instances/siblings.ts'
import { day } from '../lib/times.ts'
import { walletBucket } from '../values/bucket.ts'

interface Kind {
  /** Every secret begins with `prefix`, and this many bytes follow. */
  prefix: string
  bytes: number
  /** These are its table, and the columns that a request needs besides the wallet. */
  table: 'api_keys' | 'incoming_hooks'
  columns: string
}

interface StoredSecret {
  walletaddr: string
  last_used_day: number | null
}

export interface SecretStore<Row> {
  hasForm: (text: string) => boolean
  /** Returns its row; undefined when it is not valid. */
  find: (secret: string) => Promise<(Row & { walletaddr: string; hash: Buffer }) | undefined>
  /** Returns whether a secret of a wallet was deleted: as it was known at the last call, which queries it again. */
  isGone: (wallet: string, hash: Buffer) => boolean
  /** Call this after some were deleted: it reads them again on this machine. */
  forget: () => Promise<void>
}

export const hashOfSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest()

const buckets = 64
/** A secret is cached for this many milliseconds. */
const remembered = 1_500

/** Returns the secrets of a kind; a wrong one is cached too. */
export function secretsOf<Row>({ prefix, bytes, table, columns }: Kind) {
  const shape = new RegExp(`^${prefix}[\\w-]{${Math.ceil((bytes * 4) / 3)}}$`)
  const findByHash = coalesced<Row & StoredSecret>(
    `select walletaddr, last_used_day, ${columns} from ${table} where wbucket = $1 and hash = $2`,
    ['integer', 'bytea'],
    { atOnce: 32 },
  )
  const markUsed = `
    update ${table} set last_used_day = $3
    where wbucket = $1 and hash = $2 and (last_used_day is null or last_used_day < $3)`
  const bucketOf = (secret: string): number =>
    Buffer.from(secret.slice(prefix.length), 'base64url')[0]! % buckets

  const create = (wallet: string): string => {
    const random = randomBytes(bytes)
    random[0] = random[0]! - (random[0]! % buckets) + walletBucket(wallet)
    return prefix + random.toString('base64url')
  }

  return {
    create,
    open(db: Db, log: Logger, siblings: Siblings = alone): SecretStore<Row> {
      const memory = remember(siblings, async (bucket, hash) => {
        const [row] = await findByHash(db, [bucket, hash])
        if (!row) return undefined
        const today = Math.floor(db.now() / day)
        if ((row.last_used_day ?? 0) < today)
          await db.query(markUsed, [bucket, hash, today]).catch((error: Error) => {
            log.warn({ err: error }, `the day on which a row of ${table} was used could not be kept`)
          })
        return { ...row, hash }
      })
      return {
        hasForm: (text) => shape.test(text),
        find: async (secret) =>
          shape.test(secret) ? memory.lookUp(bucketOf(secret), hashOfSecret(secret)).found : undefined,
        isGone: (wallet, hash) => memory.lookUp(walletBucket(wallet), hash).isGone,
        forget: () => memory.forget(),
      }
    },
  }
}

/** This is a secret that is queried, or was found; `since` is the time of the query. */
interface Known<Found> {
  found: Promise<Found | undefined>
  isGone: boolean
  since: number
}

/** Caches what was read recently, by hashes: so no secret is in memory for longer than its request. */
function remember<Found>(
  siblings: Siblings,
  read: (bucket: number, hash: Buffer) => Promise<Found | undefined>,
) {
  const known = new LRUCache<string, Known<Found>>({ maxSize: 20_000, sizeCalculation: () => 1 })
  siblings.onQuestion('changed', () => known.clear())

  /** A read that fails is not remembered. */
  async function settle(one: Known<Found>): Promise<void> {
    try {
      one.isGone = (await one.found) === undefined
    } catch {
      one.since = -Infinity
    }
  }

  return {
    lookUp(bucket: number, hash: Buffer): Known<Found> {
      const name = hash.toString('base64url')
      const before = known.get(name)
      if (before && performance.now() - before.since < remembered) return before
      const one: Known<Found> = {
        found: read(bucket, hash),
        isGone: before?.isGone ?? false,
        since: performance.now(),
      }
      known.set(name, one)
      void settle(one)
      return one
    },
    async forget() {
      known.clear()
      await siblings.ask('changed')
    },
  }
}
