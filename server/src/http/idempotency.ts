import { createHash } from 'node:crypto'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { Db } from '../db/pool.ts'
import type { Caller } from '../auth/tokens.ts'

interface KeyedRequest {
  caller: Caller | null
  endpoint: string
  key: string
  /** What must be equal for two requests to be the same. */
  content: unknown
}

export interface KeyedAnswer {
  answer: string
  replayed: boolean
}

/** Checks an `Idempotency-Key` header. */
export function requireKey(key: string | string[]): string {
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key))
    throw new ApiError(
      'bad_request',
      'Idempotency-Key must be 1 to 255 visible ASCII characters, such as a UUID.',
    )
  return key
}

/**
 * Runs a creating request once per key: a repetition within 24 hours gets the first answer. Key,
 * effect and answer are committed together, so this holds across restarts and instances; of two at
 * once the second waits for the first. A request that fails leaves no key behind.
 */
export function once(
  db: Db,
  { caller, endpoint, key, content }: KeyedRequest,
  run: (tx: Db) => Promise<string>,
): Promise<KeyedAnswer> {
  const who = caller?.kind === 'wallet' ? caller.address : (caller?.kind ?? 'anyone')
  const hash = createHash('sha256').update(JSON.stringify(content)).digest()
  return db.transaction(async (tx) => {
    const [isNew] = await tx.query(claimKey, [who, endpoint, key, hash])
    if (!isNew) return { answer: await firstAnswer(tx, [who, endpoint, key], hash), replayed: true }
    const answer = await run(tx)
    await tx.query(
      `update idempotency_keys set answer = $4 where caller = $1 and endpoint = $2 and key = $3`,
      [who, endpoint, key, answer],
    )
    return { answer, replayed: false }
  })
}

/** Answers a row when the key is new or has expired. */
const claimKey = `
  insert into idempotency_keys as k (caller, endpoint, key, request_hash, expires_at)
  values ($1, $2, $3, $4, now() + interval '24 hours')
  on conflict (caller, endpoint, key) do update
    set request_hash = excluded.request_hash, expires_at = excluded.expires_at, answer = null
    where k.expires_at < now()
  returning true as is_new`

async function firstAnswer(tx: Db, id: string[], hash: Buffer): Promise<string> {
  const [first] = await tx.query<{ request_hash: Buffer; answer: string }>(
    `select request_hash, answer from idempotency_keys where caller = $1 and endpoint = $2 and key = $3`,
    id,
  )
  if (!first?.request_hash.equals(hash))
    throw new ApiError(
      'idempotency_mismatch',
      'This Idempotency-Key was used with another body. Use a new key for a new request.',
    )
  return first.answer
}

/** Deletes keys that have expired. */
export const deleteExpiredKeys = (db: Db) => db.query(`delete from idempotency_keys where expires_at < now()`)
