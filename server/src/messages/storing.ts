// Stores direct messages and messages of group chats: each kind by two functions of the database, one
// for a message and one for a batch (migrations/0003_direct_messages.sql).

import { ApiError } from '@parley/sdk/contract/errors.ts'
import { batched } from '../db/batch.ts'
import type { Db } from '../db/pool.ts'
import type { Who } from '../limits/at-once.ts'
import type { Quotas } from '../limits/quotas.ts'
import { tooMany } from '../limits/too-many.ts'

/** The Idempotency-Key of a request. */
export interface RequestKey {
  /** Who sent it. */
  caller: string
  /** The endpoint, a space, and the key. */
  key: string
  /** A hash of the request: another request must not have the same key. */
  request: Buffer
}

/** What was stored of a message. */
export interface Stored {
  id: number
  ms: number
  /** Empty without a name. */
  sender_name: string
}

interface Row {
  id: number | null
  ms: number | null
  /** JSON. */
  sender_name: string | null
  refused: 'too-fast' | 'stranger' | 'repeated' | 'mismatch' | null
  /** Whether the message began a conversation. */
  began?: boolean | null
}

/** A message that is to be stored. */
interface Item<Message> {
  message: Message
  bucket: number
  /** Its conversation or chat. */
  place: string
  key: RequestKey | undefined
  /** Of a direct message: false when its sender may begin no other conversation today. */
  mayBegin: boolean | undefined
}

/** A kind of messages. `More` are the columns that its functions answer besides those of all kinds. */
interface Kind<Message, Shown, More> {
  /** The function of the database for one message, and the one for a batch. */
  one: string
  many: string
  /** The fields of a message that are their parameters. */
  texts: readonly (keyof Message & string)[]
  place: 'conversation' | 'chat'
  placeOf: (message: Message) => { bucket: number; place: string }
  /** What the row of its place keeps of its last message. */
  copyOf: (message: Message, ms: number) => object
  copyVersion: number
  /** A stored message as its sender is shown it. */
  itemOf: (message: Message, stored: Stored & More) => Shown
  /** How many messages one statement may carry. */
  size: number
  /** Whether `one` has the parameter `p_may_begin`: whether the sender may begin a conversation. */
  begins?: true
}

/** The request that stores a message. */
interface Asked<Message> {
  body: Message
  key: RequestKey | undefined
  http: { request: { who: Who | null } }
}

/**
 * Makes a handler that stores messages of a kind, each together with others that arrive at the same
 * time; once for each key. It throws 429 when the time of the conversation or chat is ahead of the
 * clock, and when the message would begin a conversation that its sender may not begin today.
 */
export function storing<Message extends { fromaddr: string }, Shown, More = unknown>(
  kind: Kind<Message, Shown, More>,
) {
  const store = batched(storeTogether(kind), {
    inFlight: 2,
    size: kind.size,
    waitsFor: 'rows',
  })
  return async (
    { db, quotas }: { db: Db; quotas: Quotas },
    { body: message, key, http }: Asked<Message>,
  ): Promise<{ item: Shown; repeated: boolean }> => {
    const { who } = http.request
    const mayBegin = kind.begins && quotas.mayBegin(who)
    const row = await store(db, { message, ...kind.placeOf(message), key, mayBegin })
    const { id, ms, sender_name, refused, began } = row
    // Times increase by a millisecond at least, and would run ahead of the clock.
    if (refused === 'too-fast')
      throw tooMany(`This ${kind.place} takes about 1,000 messages a second. Send again in a second.`, 1)
    if (refused === 'stranger') throw quotas.refusalToBegin(who)
    if (refused === 'mismatch') throw keyMismatch()
    if (began) quotas.countBegun(who)
    const name = sender_name === null ? '' : (JSON.parse(sender_name) as string)
    const item = kind.itemOf(message, { ...row, id: id!, ms: ms!, sender_name: name })
    return { item, repeated: refused === 'repeated' }
  }
}

/**
 * Up to so many messages are stored one by one, in one statement; and all of a batch in which a
 * sender may begin no conversation.
 */
const few = 8

/** Makes a function that stores messages, by the names of the parameters. */
function storeTogether<Message, Shown, More>({
  one,
  many,
  texts,
  copyVersion,
  copyOf,
  begins,
}: Kind<Message, Shown, More>): (db: Db, items: Item<Message>[]) => Promise<(Row & More)[]> {
  const types = [
    ['bucket', 'integer'],
    ['copy', 'text'],
    ['caller', 'text'],
    ['key', 'text'],
    ['request', 'bytea'],
    ...texts.map((text) => [text, 'text']),
    // Last: the function for a batch has no such parameter.
    ...(begins ? [['may_begin', 'boolean']] : []),
  ] as const
  const names = types.map(([name]) => name)
  const ofMany = names.filter((name) => name !== 'may_begin')
  const callOf = (name: string, parameters: string[], valueOf: (of: string, i: number) => string) =>
    `${name}(p_ms => $1::bigint, p_copy_version => $2::integer, ${parameters
      .map((of, i) => `p_${of} => ${valueOf(of, i)}`)
      .join(', ')})`
  const arrays = types.map(([, type], i) => `$${i + 3}::${type}[]`)
  const storeOne = `select * from ${callOf(one, names, (_, i) => `$${i + 3}::${types[i]![1]}`)}`
  const storeFew = `
    select r.* from unnest(${arrays.join(', ')}) with ordinality as u (${names.join(', ')}, n)
    cross join lateral ${callOf(one, names, (of) => `u.${of}`)} r order by u.n`
  const storeMany = `select * from ${callOf(many, ofMany, (_, i) => arrays[i]!)}`

  return async (db, items) => {
    const ms = db.now()
    const rows = items.map((item) => {
      const { bucket, key, mayBegin, message } = item
      const copy = shortCopy(copyOf(message, ms))
      const row = [bucket, copy, key?.caller, key?.key, key?.request, ...texts.map((text) => message[text])]
      return begins ? [...row, mayBegin] : row
    })
    if (rows.length === 1) return db.query<Row & More>(storeOne, [ms, copyVersion, ...rows[0]!])
    const inTurn = rows.length <= few || items.some(({ mayBegin }) => mayBegin === false)
    // One by one each locks its own place: in an order that all batches have, so that two of them
    // cannot wait for each other.
    const order = items.map((_, i) => i)
    if (inTurn) order.sort((i, j) => byPlace(items[i]!, items[j]!))
    // A column that no item has is null as a whole: an array of nulls would be written and read.
    const columns = names.map((_, column) =>
      rows.some((row) => row[column] != null) ? order.map((i) => rows[i]![column] ?? null) : null,
    )
    const stored = inTurn
      ? await db.query<Row & More>(storeFew, [ms, copyVersion, ...columns])
      : await db.query<Row & More>(storeMany, [ms, copyVersion, ...columns.slice(0, ofMany.length)])
    const answers: (Row & More)[] = []
    for (const [n, i] of order.entries()) answers[i] = stored[n]!
    return answers
  }
}

const byPlace = (one: Item<unknown>, other: Item<unknown>): number =>
  one.bucket - other.bucket || (one.place < other.place ? -1 : Number(one.place > other.place))

/** Bytes. A longer copy would leave no room for other rows on its page of the table. */
const longestCopy = 1000

/** A copy as fields of an object, each with its comma; null when it is long. */
function shortCopy(copy: object): string | null {
  const fields = `,${JSON.stringify(copy).slice(1, -1)}`
  return Buffer.byteLength(fields) <= longestCopy ? fields : null
}

export const keyMismatch = () =>
  new ApiError(
    'idempotency_mismatch',
    'This Idempotency-Key was used with another body. Use a new key for a new request.',
  )
