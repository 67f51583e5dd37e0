import type { Db } from '../db/pool.ts'
import { day } from '../lib/times.ts'
import type { RequestKey } from '../messages/message-types.ts'
import { keyMismatch } from '../messages/refusals.ts'
import { bucketOf } from '../values/bucket.ts'

export interface AskedKey extends RequestKey {
  content: unknown
}

/**
 * Runs a creating request once per key: a repetition within 24 hours gets the first response. Key, effect and response are
 * committed together, so this holds across restarts and instances; of two at once the second waits for the first. A request that
 * fails leaves no key behind. Messages do not use it: the statement that stores them stores their keys too (messages/store-messages.ts).
 */
export function once(
  db: Db,
  { caller, key, request, content }: AskedKey,
  run: (tx: Db) => Promise<string>,
): Promise<{ answer: string; repeated: boolean }> {
  const id = [bucketOf(caller), caller, key]
  return db.transaction(async (tx) => {
    const now = db.now()
    const [isNew] = await tx.query(claimKey, [...id, request, now, now + day])
    if (!isNew) return { answer: lengthen(await firstAnswer(tx, id, request), content), repeated: true }
    const answer = await run(tx)
    await tx.query('update idempotency_keys set answer = $4 where bucket = $1 and caller = $2 and key = $3', [
      ...id,
      shorten(answer, content),
    ])
    return { answer, repeated: false }
  })
}

/** Returns the response of an earlier request with this key; undefined when there is none. It avoids costly work in vain. */
export async function answerBefore(
  db: Db,
  { caller, key, request, content }: AskedKey,
): Promise<string | undefined> {
  const [first] = await db.query<{ request_hash: Buffer; answer: string }>(
    `${findKey} and expires_ms >= $4`,
    [bucketOf(caller), caller, key, db.now()],
  )
  if (first && !first.request_hash.equals(request)) throw keyMismatch()
  return first && lengthen(first.answer, content)
}

// A long response repeats long texts of its request: a picture, a comment. The repetition brings them again, so the number of the
// text is stored in their place, between characters that JSON has nowhere.

/** This many characters of a response are stored as they are. */
const longest = 4096
const mark = '\x01'

function shorten(answer: string, content: unknown): string {
  if (answer.length <= longest) return answer
  return textsOf(content).reduce(
    (text, of, n) => (of.length > 16 ? text.replaceAll(of, `${mark}${n}${mark}`) : text),
    answer,
  )
}

function lengthen(stored: string, content: unknown): string {
  if (!stored.includes(mark)) return stored
  const texts = textsOf(content)
  return stored
    .split(mark)
    .map((part, i) => (i % 2 ? texts[Number(part)] : part))
    .join('')
}

/** Returns the texts of a request as JSON, in their order. */
const textsOf = (value: unknown): string[] =>
  typeof value === 'string'
    ? [JSON.stringify(value)]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsOf)
      : []

/** Returns a row when the key is new or has expired. */
const claimKey = `
  insert into idempotency_keys as k (bucket, caller, key, request_hash, expires_ms)
  values ($1, $2, $3, $4, $6)
  on conflict (bucket, caller, key) do update
    set request_hash = excluded.request_hash, expires_ms = excluded.expires_ms, answer = null
    where k.expires_ms < $5
  returning true as is_new`

const findKey =
  'select request_hash, answer from idempotency_keys where bucket = $1 and caller = $2 and key = $3'

async function firstAnswer(tx: Db, id: unknown[], request: Buffer): Promise<string> {
  const [first] = await tx.query<{ request_hash: Buffer; answer: string }>(findKey, id)
  if (!first?.request_hash.equals(request)) throw keyMismatch()
  return first.answer
}

export const deleteExpiredKeys = (db: Db) =>
  db.query('delete from idempotency_keys where expires_ms < $1', [db.now()])
