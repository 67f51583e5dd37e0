// This reader of the log writes the index: a send pays nothing for it. To index a message costs more than to store it, so the reader
// rests while sends wait (cluster/follow.ts), and searches read what it has not reached in the messages themselves. What the words of a message are is worked out between two
// turns of the event loop, half a millisecond at a time.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { wordsOf } from '@parley/sdk/search/words.ts'
import type { Reader } from '../../cluster/follow.ts'
import type { Db } from '../../db/pool.ts'
import { walletBucket } from '../../values/bucket.ts'
import { dailyWords } from './daily-words.ts'
import { type Indexed, lexemesOfMessage, lexemesOfPost } from './lexemes.ts'

/** The maximum number of messages, and of posts, that a step reads. */
const pageSize = 200
/** The maximum number of changes that a step reads. */
const eventsAtOnce = 1000

export const searchReader: Reader = { name: 'search', purpose: 'searches', canWait: true, readPage }

interface Message extends Omit<Indexed, 'texts' | 'files'> {
  id: number
  toaddr: string
  nftaddr: string | null
  texts: (string | null)[] | null
  files: { name?: string; type?: string }[] | null
}
interface Post extends Omit<Indexed, 'texts' | 'files'> {
  id: number
  bucket: number
  chat: string
  texts: (string | null)[]
  files: { name?: string; type?: string }[] | null
}

// The author of a message may alone see its last edit. The service knows no word of an encrypted message.
const message = `id, fromaddr, toaddr, nftaddr, ms, files,
  case when encrypted_sym_x_key is null then array[message, own->>'message'] end as texts`
const post = `id, bucket, chat, fromaddr, ms, files, array[message, own->>'message'] as texts`
const withheld = `id, bucket, chat, fromaddr, ms, files, array[message] as texts`
const page = (columns: string, table: string) =>
  `select ${columns} from ${table} where id > $1 and id <= $2 order by id limit ${pageSize}`

const pages = {
  messages: page(message, 'direct_messages'),
  posts: page(post, 'group_messages'),
  withheld: page(withheld, 'withheld_posts'),
}

// An edit of a post whose author nobody else sees is in its row.
const edited = `
  select id, (event->>'id')::bigint as about from events
  where id > $1 and id <= $2 and event->>'type' = 'edited' order by id limit ${eventsAtOnce}`
const byIds = (columns: string, table: string) =>
  `select ${columns} from ${table} where id = any($1::bigint[])`

async function readPage(tx: Db, after: number, upTo: number): Promise<number> {
  const messages = await tx.query<Message>(pages.messages, [after, upTo])
  const posts = await tx.query<Post>(pages.posts, [after, upTo])
  const unseen = await tx.query<Post>(pages.withheld, [after, upTo])
  const changes = await tx.query<{ id: number; about: number }>(edited, [after, upTo])
  const ends = [
    ...[messages, posts, unseen].filter(({ length }) => length === pageSize),
    ...(changes.length === eventsAtOnce ? [changes] : []),
  ].map((rows) => rows.at(-1)!.id)
  const to = Math.min(upTo, ...ends)
  const isOfPage = ({ id }: { id: number }) => id <= to
  await store(tx, inserts.direct, rowsOfMessages(messages.filter(isOfPage)))
  await store(tx, inserts.posts, rowsOfPosts([...posts, ...unseen].filter(isOfPage)))
  await storeChanged(tx, [...new Set(changes.filter(isOfPage).map(({ about }) => about))])
  return to
}

/** Puts posts into the index that are no part of the log: those that were imported. It is right to do it twice. */
export const indexPosts = (tx: Db, posts: Post[]): Promise<void> =>
  store(tx, inserts.posts, rowsOfPosts(posts))

/** Reads messages again that were edited. */
async function storeChanged(tx: Db, ids: number[]): Promise<void> {
  for (let n = 0; n < ids.length; n += pageSize) {
    const of = [ids.slice(n, n + pageSize)]
    const messages = await tx.query<Message>(byIds(message, 'direct_messages'), of)
    const posts = await tx.query<Post>(byIds(post, 'group_messages'), of)
    const unseen = await tx.query<Post>(byIds(withheld, 'withheld_posts'), of)
    await store(tx, inserts.direct, rowsOfMessages(messages))
    await store(tx, inserts.posts, rowsOfPosts([...posts, ...unseen]))
  }
}

const indexedOf = <One extends Message | Post>(row: One) => ({
  ...row,
  texts: [...row.texts!, ...(row.files ?? []).map(({ name }) => name ?? null)].filter(
    (text) => text !== null,
  ),
  files: row.files ?? [],
})

/** After this many milliseconds other work gets its turn: a send that arrives meanwhile waits for no more. */
const longestTurn = 0.5

/** A row of the index: the bucket, the wallet or chat, the id, the time, and lexemes with a space between, which none has. */
type Row = [bucket: number, place: string, id: number, ms: number, words: string]

const insert = (table: string, bucket: string, place: string) => `
  insert into ${table} (${bucket}, ${place}, id, ms, words)
  select l.bucket, u.place, u.id, u.ms, array_to_tsvector(string_to_array(u.words, ' '))
  from buckets l join unnest($1::integer[], $2::text[], $3::bigint[], $4::bigint[], $5::text[])
    as u (bucket, place, id, ms, words)
    on u.bucket = l.bucket
  where l.bucket = any($1::integer[])
  on conflict (${bucket}, ${place}, id) do update set words = excluded.words`
const inserts = {
  direct: insert('search_direct', 'wbucket', 'walletaddr'),
  posts: insert('search_posts', 'bucket', 'chat'),
}

/** About this number of characters are stored by one statement. */
const mostCharacters = 2 ** 20

/** Stores rows of the index. Each is made when the one before is in a statement, and others get their turn in between. */
async function store(tx: Db, statement: string, rows: Iterable<Row>): Promise<void> {
  let some: Row[] = []
  let characters = 0
  let began = performance.now()
  const flush = async () => {
    await tx.query(
      statement,
      [0, 1, 2, 3, 4].map((column) => some.map((row) => row[column])),
    )
    some = []
    characters = 0
  }
  for (const row of rows) {
    some.push(row)
    characters += row[4].length
    if (characters > mostCharacters) await flush()
    if (performance.now() - began > longestTurn) {
      await nextTurn()
      began = performance.now()
    }
  }
  if (some.length > 0) await flush()
}

function* rowsOfMessages(messages: Message[]): Generator<Row> {
  for (const row of messages) {
    if (row.texts === null) continue
    const indexed = indexedOf(row)
    const words = wordsOf(...indexed.texts)
    if (!dailyWords.take(row, words.size)) continue
    for (const wallet of new Set([row.fromaddr, row.toaddr]))
      yield [walletBucket(wallet), wallet, row.id, row.ms, lexemesOfMessage(wallet, indexed, words).join(' ')]
  }
}

function* rowsOfPosts(posts: Post[]): Generator<Row> {
  for (const row of posts) {
    const indexed = indexedOf(row)
    const words = wordsOf(...indexed.texts)
    if (dailyWords.take(row, words.size))
      yield [row.bucket, row.chat, row.id, row.ms, lexemesOfPost(row.chat, indexed, words).join(' ')]
  }
}
