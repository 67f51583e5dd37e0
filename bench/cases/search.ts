// These cases search. The texts of the history are no words, so each case adds messages that have some: about as frequent as in a
// language, the nth word of 50,000 in every 1/n of messages or so.

import { setTimeout as sleep } from 'node:timers/promises'
import { layouts } from '../../server/src/cluster/layout.ts'
import { connect } from '../../server/src/db/pool.ts'
import { chatName, hubsOf, person } from '../data/layout.ts'
import { drive } from '../load/load.ts'
import { request, type Access } from '../service/access.ts'
import { type Case, inTurn } from './case.ts'

const word = (n: string) => `substr(md5((${n})::text), 1, 3 + ((${n}) % 6)::int)`
const text = (g: string) => `(
  select string_agg(${word('power(50000, random())::int')}, ' ') from generate_series(1, 8 + (${g} % 5)::int))`
/** So many messages are written by one statement. */
const chunk = 20_000

/** Returns the words with some ranks, as the database writes them. */
const wordsOf = ({ db }: Access, ranks: number[]) =>
  db.query<{ word: string }>(`select ${word('n')} as word from unnest($1::int[]) as r (n)`, [ranks])

const reader = () => hubsOf(200)[0]!

/** What the index of searches costs. */
interface Indexed {
  secondsToIndex: number
  bytesOfMessage: number
  bytesOfPost: number
}

const directWords = `
  insert into direct_messages (bucket, conversation_id, id, fromaddr, toaddr, message, read, ms)
  select c.bucket, c.id, nextval('item_numbers') * 64 + c.bucket, case when g % 2 = 0 then c.a else c.b end,
    case when g % 2 = 0 then c.b else c.a end, ${text('g')}, true, 1735689600000 + g * 1000::bigint
  from generate_series($1::bigint, $2::bigint) g join (
    select *, row_number() over () - 1 as n, count(*) over () as of from conversations where a = $3 or b = $3
  ) c on c.n = g % c.of`
const postWords = `
  insert into group_messages (bucket, chat, id, fromaddr, message, ms)
  select c.bucket, c.chat, nextval('item_numbers') * 64 + c.bucket, $3, ${text('g')}, 1735689600000 + g * 1000::bigint
  from generate_series($1::bigint, $2::bigint) g join group_chats c on c.chat = $4`

/** Adds as many messages as the history has to the conversations of a wallet, and as many posts to the largest chat. */
async function addWords({ db, databaseUrl, size }: Access): Promise<Indexed> {
  const add = async (statement: string, ...values: string[]) => {
    await using one = connect(databaseUrl, { layout: layouts.machine, size: 1 })
    for (let from = 1; from <= size; from += chunk)
      await one.query(statement, [from, Math.min(size, from + chunk - 1), ...values])
  }
  // The index is made afterwards, so that its time is known.
  await db.transaction(async (tx) => {
    await tx.query('set local idle_in_transaction_session_timeout = 0')
    await tx.query(`select id from log_readers where name = 'search' for update`)
    await Promise.all([add(directWords, reader()), add(postWords, reader(), chatName(0))])
  })
  for (const table of ['direct_messages', 'group_messages']) await db.query(`analyze ${table}`)
  const began = performance.now()
  await untilIndexed(db)
  const secondsToIndex = (performance.now() - began) / 1000
  const bytesOf = async (table: string) => {
    await db.query(`analyze ${table}`)
    const [row] = await db.query<{ bytes: number }>(
      `select pg_total_relation_size('${table}')::bigint as bytes`,
    )
    return row!.bytes / size
  }
  return {
    secondsToIndex,
    bytesOfMessage: await bytesOf('search_direct'),
    bytesOfPost: await bytesOf('search_posts'),
  }
}

/** The service writes the index in the background. */
async function untilIndexed(db: Access['db']): Promise<void> {
  for (;;) {
    const [row] = await db.query<{ done: boolean }>(
      `select id / 64 >= (select last_value from item_numbers) as done from log_readers where name = 'search'`,
    )
    if (row!.done) return
    await sleep(250)
  }
}

let added: Promise<Indexed> | undefined

interface Search {
  name: string
  about: string
  connections?: number
  /** Each word has a rank between these. */
  ranks: [from: number, to: number][]
  more?: object
  /** These search in turn. One wallet has one search at a time. */
  wallets?: string[]
}

const searching = ({ name, about, connections = 1, ranks, more, wallets = [reader()] }: Search): Case => ({
  name,
  about,
  connections,
  grows: true,
  prepare: (access) => (added ??= addWords(access)),
  async run(access, seconds) {
    const bodies = await Promise.all(
      Array.from({ length: 50 }, async (_, n) => {
        const words = await wordsOf(
          access,
          ranks.map(([from, to]) => from + ((n * 7919) % (to - from))),
        )
        return { q: words.map((one) => `"${one.word}"`).join(' '), ...more }
      }),
    )
    const requests = bodies.map((body, n) =>
      request(access, wallets[n % wallets.length]!, 'POST', '/v1/search', body),
    )
    const sample = await drive(access.port, await inTurn(requests), connections, seconds)
    const { secondsToIndex, bytesOfMessage, bytesOfPost } = await added!
    return {
      ...sample,
      extra: {
        'seconds to index': secondsToIndex,
        'bytes of index, a direct message': bytesOfMessage,
        'bytes of index, a post': bytesOfPost,
      },
    }
  },
  baselines: [],
})

const two: Search = {
  name: 'search-two',
  about: 'two words in all direct messages and joined chats of a wallet',
  ranks: [
    [1, 200],
    [50, 2000],
  ],
}
const frequent: Search = {
  name: 'search-frequent',
  about: 'a frequent word in the largest chat',
  ranks: [[1, 20]],
  more: { chat: chatName(0) },
}

export const searches: Case[] = [
  searching(two),
  searching({
    ...two,
    name: 'search-two-4',
    about: 'the same at once, which one wallet waits for',
    connections: 4,
  }),
  searching(frequent),
  searching({
    ...frequent,
    name: 'search-frequent-4',
    about: 'the same by four wallets at once',
    connections: 4,
    wallets: [reader(), person(1), person(2), person(3)],
  }),
  searching({
    name: 'search-rare',
    about: 'a rare word in the largest chat',
    ranks: [[5000, 50_000]],
    more: { chat: chatName(0) },
  }),
]
