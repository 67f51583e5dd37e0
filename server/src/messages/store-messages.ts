// Stores direct messages and messages of group chats: each kind by two functions of the database, one
// for a message and one for a batch (migrations/0003_direct_messages.sql).

import type { Publishing } from '../auth/publishing.ts'
import type { Config } from '../config/settings.ts'
import { batched } from '../db/batch.ts'
import type { Db } from '../db/pool.ts'
import type { Who } from '../limits/concurrency.ts'
import type { FirstContacts } from '../limits/first-contacts.ts'
import type { Quotas } from '../limits/quotas.ts'
import type { PostRule } from './chat-rules.ts'
import type { Gate } from './gate.ts'
import { isHolder, refusalToStore, tooFast, tooSoon } from './refusals.ts'
import { shortCopy } from './columns.ts'
import type { Item, Kind, RequestKey, Row, Stored } from './message-types.ts'

/** This is a kind of messages, and how its sender sees one. */
interface ShownKind<Message, Shown, More> extends Kind<Message> {
  place: 'conversation' | 'chat'
  placeOf: (message: Message) => { bucket: number; place: string }
  itemOf: (message: Message, stored: Stored & More) => Shown
  /** One statement carries at most this many messages. */
  size: number
}

interface Tools {
  db: Db
  config: Pick<Config, 'dmDefault'>
  quotas: Quotas
  firstContacts: FirstContacts
  gate: Gate
}

/** This is the request that stores a message. */
interface StoreRequest<Message> {
  body: Message
  key: RequestKey | undefined
  publishing: Publishing
  http: { request: { who: Who | null } }
}

/**
 * Makes a handler that stores messages of a kind, each together with others that arrive at the same
 * time; once for each key. It throws 429 when the time of the conversation or chat is ahead of the
 * clock, and when the message would begin a conversation that its sender may not begin today; and
 * what the two wallets' consent refuses.
 */
export function storing<
  Message extends { fromaddr: string; reply_to?: number | undefined; files?: string[] | undefined },
  Shown,
  More = unknown,
>(kind: ShownKind<Message, Shown, More>) {
  const store = batched(storeTogether<Message, More>(kind), {
    name: kind.isDirect ? 'direct-messages' : 'group-messages',
    inFlight: 2,
    size: kind.size,
    waitsFor: 'rows',
    // On a cluster a batch for several shards would be committed in two phases.
    groupOf: (db, { bucket }) => db.shardOf?.(bucket) ?? 0,
  })
  return async (
    { db, config, quotas, firstContacts, gate }: Tools,
    { body: message, key, publishing, http }: StoreRequest<Message>,
    rule: PostRule = free,
  ): Promise<{ item: Shown; repeated: boolean }> => {
    const { who } = http.request
    const input: Item<Message> = {
      message,
      ...kind.placeOf(message),
      key,
      dmDefault: config.dmDefault,
      mayBegin: !kind.isDirect || quotas.hasLeft('strangers', who),
      mayAsk: false,
      holder: undefined,
      ...rule,
      withheld: rule.held || publishing.isUnseen,
      replyTo: message.reply_to,
      files: message.files?.join(','),
    }
    let row = await store(db, input)
    if (row.refused === 'holders') {
      const holder = await isHolder(gate, row.policy!, message.fromaddr)
      if (holder !== 'no') row = await store(db, Object.assign(input, { holder }))
    }
    if (row.refused === 'first') {
      const giveBack = firstContacts.take(who)
      row = await store(db, { ...input, mayAsk: true })
      if (!row.began) giveBack()
    }
    const { id, ms, sender_name, refused, began } = row
    if (refused === 'too-fast') throw tooFast(kind.place)
    if (refused === 'slow') throw tooSoon(db, ms!)
    if (refused === 'stranger') throw quotas.refusalToBegin(who)
    if (refused !== null && refused !== 'repeated')
      throw refusalToStore(refused, { ...input, place: kind.place, policy: row.policy })
    if (began) quotas.countUsed('strangers', who)
    const name = sender_name === null ? '' : (JSON.parse(sender_name) as string)
    const item = kind.itemOf(message, { ...row, id: id!, ms: ms!, sender_name: name })
    return { item, repeated: refused === 'repeated' }
  }
}

/** Up to this many are stored one by one, in one statement; so is a whole batch in which one message is special. */
const few = { messages: 3, posts: 8 }

/** Only few messages need these parameters of the functions for one message; `values` are those of an item. */
const specialsOf = {
  direct: {
    types: [
      ['may_begin', 'boolean'],
      ['may_ask', 'boolean'],
      ['holder', 'text'],
      ['withheld', 'boolean'],
      ['reply_to', 'bigint'],
    ],
    values: ({ mayBegin, mayAsk, holder, withheld, replyTo }: Item<unknown>) => [
      mayBegin,
      mayAsk,
      holder,
      withheld,
      replyTo,
    ],
  },
  post: {
    types: [
      ['withheld', 'boolean'],
      ['held', 'boolean'],
      ['slow_ms', 'bigint'],
      ['reply_to', 'bigint'],
    ],
    values: ({ withheld, held, slowMs, replyTo }: Item<unknown>) => [withheld, held, slowMs, replyTo],
  },
} as const

/** Returns true when a message needs parameters that the function for a batch does not have. */
const isSpecial = <Message>({
  mayBegin,
  mayAsk,
  holder,
  withheld,
  slowMs,
  replyTo,
  files,
}: Item<Message>): boolean =>
  !mayBegin ||
  mayAsk ||
  holder !== undefined ||
  withheld ||
  slowMs > 0 ||
  replyTo !== undefined ||
  files !== undefined

/** This rule holds where no moderator has decided anything. */
const free: PostRule = { held: false, slowMs: 0 }

/** Makes a function that stores messages, by the names of the parameters. */
function storeTogether<Message, More>({
  one,
  many,
  withFiles,
  texts,
  copyVersion,
  copyOf,
  isDirect,
}: Kind<Message>): (db: Db, items: Item<Message>[]) => Promise<(Row & More)[]> {
  const types: (readonly [string, string])[] = [
    ['bucket', 'integer'],
    ['copy', 'text'],
    ['caller', 'text'],
    ['key', 'text'],
    ['request', 'bytea'],
    ...texts.map((text) => [text, 'text'] as const),
  ]
  const scalars = [
    'p_ms => $1::bigint',
    'p_copy_version => $2::integer',
    ...(isDirect ? ['p_dm_default => $3::text'] : []),
  ]
  const statementsOf = (parameters: typeof types, fn = one) => {
    const call = (name: string, valueOf: (of: string, i: number) => string) =>
      `${name}(${[...scalars, ...parameters.map(([of], i) => `p_${of} => ${valueOf(of, i)}`)].join(', ')})`
    const arrays = parameters.map(([, type], i) => `$${i + scalars.length + 1}::${type}[]`)
    const names = parameters.map(([name]) => name).join(', ')
    return {
      one: `select * from ${call(fn, (_, i) => arrays[i]!.slice(0, -2))}`,
      few: `
    select r.* from unnest(${arrays.join(', ')}) with ordinality as u (${names}, n)
    cross join lateral ${call(fn, (column) => `u.${column}`)} r order by u.n`,
      many: `select * from ${call(many, (_, i) => arrays[i]!)}`,
    }
  }
  const plain = statementsOf(types)
  const more = isDirect ? specialsOf.direct : specialsOf.post
  const special = statementsOf([...types, ...more.types])
  const filed = statementsOf([...types, ...more.types, ['files', 'text']], withFiles)

  const store = async (db: Db, items: Item<Message>[], inTurn: boolean): Promise<(Row & More)[]> => {
    const ms = db.now()
    const hasSpecial = items.some(isSpecial)
    const hasFiles = items.some(({ files }) => files !== undefined)
    const statements = hasFiles ? filed : hasSpecial ? special : plain
    const first = [ms, copyVersion, ...(isDirect ? [items[0]!.dmDefault] : [])]
    const rows = items.map((item) => {
      const { bucket, key, message } = item
      const copy = item.files === undefined ? shortCopy(copyOf(message, ms)) : null
      const row = [bucket, copy, key?.caller, key?.key, key?.request, ...texts.map((text) => message[text])]
      if (!hasSpecial) return row
      return [...row, ...more.values(item), ...(hasFiles ? [item.files] : [])]
    })
    if (rows.length === 1) return db.query<Row & More>(statements.one, [...first, ...rows[0]!])
    // In this mode each message locks its place: in an order that all batches share, so that two of them cannot wait for each
    // other.
    const order = items.map((_, i) => i)
    if (inTurn) order.sort((i, j) => byPlace(items[i]!, items[j]!))
    // A column that no item has is null as a whole: an array of nulls would be written and read.
    const columns = rows[0]!.map((_, column) =>
      rows.some((row) => row[column] != null) ? order.map((i) => rows[i]![column] ?? null) : null,
    )
    const stored = await db.query<Row & More>(inTurn ? statements.few : statements.many, [
      ...first,
      ...columns,
    ])
    const answers: (Row & More)[] = []
    for (const [n, i] of order.entries()) answers[i] = stored[n]!
    return answers
  }

  return async (db, items) => {
    const inTurn = items.length <= (isDirect ? few.messages : few.posts) || items.some(isSpecial)
    const answers = await store(db, items, inTurn)
    const alone = [...items.keys()].filter((i) => answers[i]!.refused === 'alone')
    if (alone.length === 0) return answers
    const retried = await store(
      db,
      alone.map((i) => items[i]!),
      true,
    )
    for (const [n, i] of alone.entries()) answers[i] = retried[n]!
    return answers
  }
}

const byPlace = (one: Item<unknown>, other: Item<unknown>): number =>
  one.bucket - other.bucket || (one.place < other.place ? -1 : Number(one.place > other.place))
