// Copies conversations by wallet, on a cluster only (server/cluster/copies.sql). A conversation lies in the bucket of its pair,
// so the inbox of a wallet would read all nodes. Its copies lie in the bucket of the wallet.
//
// A copy is made from the number of the bucket, which is read first, and the conversation's row, read after it. Everything that
// changes a conversation draws a number of its bucket in the same transaction, so a copy shows all changes up to its number:
// copies are applied in any order, any number of times, and the one with the greatest number stays. changes.ts says when.
//
// Each statement reads or writes one table and names one bucket. Citus passes such statements on as they are; planning a join
// takes ten times as long as running it.

import { batched } from '../db/batch.ts'
import type { Db } from '../db/pool.ts'
import { forEachLimited } from '../lib/for-each-limited.ts'
import { inOrder, pairBucket, placeOf, walletBucket } from '../values/bucket.ts'
import { lastItemPreview, lastItemVersion, previewColumns } from '../messages/direct-message.ts'
import { isFresh, versionOf } from '../messages/columns.ts'
import { notHiddenFrom } from '../messages/shared-sql.ts'

/** A pair has its wallets in any order. */
export type Pair = [one: string, other: string]

/** A wallet sees this as the last message; all fields are null when it sees none. */
interface Last {
  last_id: number | null
  last_ms: number | null
  last_read: boolean | null
  last_is_theirs: boolean | null
  last_item: string | null
}

export interface Copy extends Last {
  walletaddr: string
  peer: string
  version: number
  bucket: number
  /** It is null when the conversation is gone. */
  id: number | null
  state: number
  blocked: boolean
  unread: number
  shape: number
}

/** This is the shape of a copy's message. Another release may write another one. */
export const copyShape = versionOf(`${lastItemPreview} ${lastItemVersion}`)

/** This is a row of `conversations`. */
interface Row extends Omit<Last, 'last_is_theirs'> {
  a: string
  b: string
  id: number
  state_a: number
  state_b: number
  blocked_a: boolean
  blocked_b: boolean
  unread_a: number
  unread_b: number
  erased_a: number
  erased_b: number
  last_is_from_a: boolean | null
  /** This is true when the row has its last message. */
  is_fresh: boolean
}

const rowColumns = `a, b, id, state_a, state_b, blocked_a, blocked_b, unread_a, unread_b, erased_a, erased_b, last_ms, last_id,
  last_is_from_a, last_read, last_item, coalesce(${isFresh(lastItemVersion)}, false) as is_fresh`

const readNumber = 'select number from buckets where bucket = $1'
const readRow = `select ${rowColumns} from conversations c where bucket = $1 and a = $2 and b = $3`

/** The number is read before the rows: so each of them shows all changes up to it. */
export async function readPage(db: Pick<Db, 'query'>, bucket: number, after: Pair, limit: number) {
  const [{ number } = { number: 0 }] = await db.query<{ number: number }>(readNumber, [bucket])
  const rows = await db.query<Row>(
    `select ${rowColumns} from conversations c where bucket = $1 and (a, b) > ($2, $3) order by a, b limit $4`,
    [bucket, ...after, limit],
  )
  return { number, rows }
}

/** Makes the copies of both ends of a conversation; one copy where a wallet writes to itself. */
export async function copiesOfRow(
  db: Pick<Db, 'query'>,
  pair: Pair,
  number: number,
  row: Row | undefined,
): Promise<Copy[]> {
  const [a, b] = inOrder(...pair)
  const bucket = pairBucket(a, b)
  const copies: Copy[] = []
  for (const isA of a === b ? [true] : [true, false]) {
    const [walletaddr, peer] = isA ? [a, b] : [b, a]
    copies.push({
      walletaddr,
      peer,
      version: number,
      bucket,
      id: row?.id ?? null,
      state: row?.[isA ? 'state_a' : 'state_b'] ?? 0,
      blocked: row?.[isA ? 'blocked_a' : 'blocked_b'] ?? false,
      unread: row?.[isA ? 'unread_a' : 'unread_b'] ?? 0,
      shape: copyShape,
      ...((row && (await lastOf(db, bucket, row, isA))) ?? noLast),
    })
  }
  return copies
}

const noLast: Last = { last_id: null, last_ms: null, last_read: null, last_is_theirs: null, last_item: null }

const findLast = `
  select id as last_id, ms as last_ms, read as last_read, m.fromaddr <> $4 as last_is_theirs, ${lastItemPreview} as last_item
  from (
    select ${previewColumns('$4')} from direct_messages m
    where m.bucket = $1 and m.conversation_id = $2 and m.id > $3 and ${notHiddenFrom('$4')} order by m.id desc limit 1
  ) m`

/** Returns the last message of a conversation for one of its ends: the one in its row, else it is searched. */
async function lastOf(
  db: Pick<Db, 'query'>,
  bucket: number,
  row: Row,
  isA: boolean,
): Promise<Last | undefined> {
  const [wallet, erased] = isA ? [row.a, row.erased_a] : [row.b, row.erased_b]
  if (!row.is_fresh || row.last_id! <= erased)
    return (await db.query<Last>(findLast, [bucket, row.id, erased, wallet]))[0]
  const { last_id, last_ms, last_read, last_item } = row
  return { last_id, last_ms, last_read, last_is_theirs: row.last_is_from_a !== isA, last_item }
}

const columns: Record<keyof Copy, string> = {
  walletaddr: 'text',
  peer: 'text',
  version: 'bigint',
  bucket: 'integer',
  id: 'bigint',
  state: 'smallint',
  blocked: 'boolean',
  unread: 'integer',
  last_id: 'bigint',
  last_ms: 'bigint',
  last_read: 'boolean',
  last_is_theirs: 'boolean',
  last_item: 'text',
  shape: 'integer',
}
const names = Object.keys(columns) as (keyof Copy)[]

// A copy of the same state is written again where another release has written it.
const write = `
  insert into conversation_copies as k (wbucket, ${names.join(', ')})
  values ($1, ${names.map((_name, n) => `$${n + 2}`).join(', ')})
  on conflict (wbucket, walletaddr, peer) do update set ${names.map((name) => `${name} = excluded.${name}`).join(', ')}
  where k.version < excluded.version or (k.version = excluded.version and k.shape <> excluded.shape)`

/** Stores copies where there are none, before the tables are distributed over nodes. */
export const insertCopies = (db: Pick<Db, 'query'>, copies: Copy[]) =>
  db.query(
    `insert into conversation_copies (wbucket, ${names.join(', ')})
     select * from unnest($1::integer[], ${names.map((name, n) => `$${n + 2}::${columns[name]}[]`).join(', ')})`,
    [
      copies.map(({ walletaddr }) => walletBucket(walletaddr)),
      ...names.map((name) => copies.map((copy) => copy[name])),
    ],
  )

/** At most this many copies of one batch are read and written at the same time. */
const atOnce = 4

const apply = batched<Pair, void>(
  async (db, pairs) => {
    const places = new Map(pairs.map((pair) => [placeOf(...pair).place, pair]))
    const bucket = pairBucket(...pairs[0]!)
    const [{ number } = { number: 0 }] = await db.query<{ number: number }>(readNumber, [bucket])
    await forEachLimited([...places.values()], atOnce, async (pair) => {
      const [row] = await db.query<Row>(readRow, [bucket, ...inOrder(...pair)])
      for (const copy of await copiesOfRow(db, pair, number, row))
        await db.query(write, [walletBucket(copy.walletaddr), ...names.map((name) => copy[name])])
    })
    return pairs.map(() => undefined)
  },
  { name: 'copies', inFlight: 2, size: 128, waitsFor: 'rows', groupOf: (_db, pair) => pairBucket(...pair) },
)

/** Applies the copies of conversations, together with others of their buckets that are applied at the same time. */
export const applyCopies = async (db: Db, pairs: Pair[]) =>
  void (await Promise.all(pairs.map((pair) => apply(db, pair))))
