// These cases search. The texts of the history are no words, so each case adds messages that have some: about as frequent as in a
// language, the nth word of 50,000 in every 1/n of messages or so.

import { setTimeout as sleep } from 'node:timers/promises'
import { chatName, hubsOf } from '../data/layout.ts'
import { request, type Access } from '../service/access.ts'
import { type Case, inTurn } from './case.ts'

const word = (n: string) => `substr(md5((${n})::text), 1, 3 + ((${n}) % 6)::int)`
const text = (g: string) => `(
  select string_agg(${word('power(50000, random())::int')}, ' ') from generate_series(1, 8 + (${g} % 5)::int))`
/** So many messages are written by one statement. */
const chunk = 50_000

/** Returns the words with some ranks, as the database writes them. */
const wordsOf = ({ db }: Access, ranks: number[]) =>
  db.query<{ word: string }>(`select ${word('n')} as word from unnest($1::int[]) as r (n)`, [ranks])

const reader = () => hubsOf(200)[0]!

/** Adds as many messages as the history has to the conversations of a wallet, and as many posts to the largest chat. */
async function addWords({ db, size }: Access): Promise<void> {
  for (let from = 1; from <= size; from += chunk) {
    const range = [from, Math.min(size, from + chunk - 1)]
    await db.query(
      `insert into direct_messages (bucket, conversation_id, id, fromaddr, toaddr, message, read, ms)
       select c.bucket, c.id, nextval('item_numbers') * 64 + c.bucket, case when g % 2 = 0 then c.a else c.b end,
         case when g % 2 = 0 then c.b else c.a end, ${text('g')}, true, 1735689600000 + g * 1000::bigint
       from generate_series($1::bigint, $2::bigint) g join (
         select *, row_number() over () - 1 as n, count(*) over () as of from conversations where a = $3 or b = $3
       ) c on c.n = g % c.of`,
      [...range, reader()],
    )
    await db.query(
      `insert into group_messages (bucket, chat, id, fromaddr, message, ms)
       select c.bucket, c.chat, nextval('item_numbers') * 64 + c.bucket, $3, ${text('g')}, 1735689600000 + g * 1000::bigint
       from generate_series($1::bigint, $2::bigint) g join group_chats c on c.chat = $4`,
      [...range, reader(), chatName(0)],
    )
  }
  await untilIndexed(db)
  for (const table of ['direct_messages', 'group_messages', 'search_direct', 'search_posts'])
    await db.query(`analyze ${table}`)
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

let added: Promise<void> | undefined

const searching = (name: string, about: string, ranks: [from: number, to: number][], more: object): Case => ({
  name,
  about,
  connections: 4,
  grows: true,
  prepare: (access) => (added ??= addWords(access)),
  async traffic(access) {
    const bodies = await Promise.all(
      Array.from({ length: 50 }, async (_, n) => {
        const words = await wordsOf(
          access,
          ranks.map(([from, to]) => from + ((n * 7919) % (to - from))),
        )
        return { q: words.map((one) => `"${one.word}"`).join(' '), ...more }
      }),
    )
    return inTurn(bodies.map((body) => request(access, reader(), 'POST', '/v1/search', body)))
  },
  baselines: [],
})

export const searches: Case[] = [
  searching(
    'search-two',
    'two words in all direct messages and joined chats of a wallet',
    [
      [1, 200],
      [50, 2000],
    ],
    {},
  ),
  searching('search-frequent', 'a frequent word in the largest chat', [[1, 20]], { chat: chatName(0) }),
  searching('search-rare', 'a rare word in the largest chat', [[5000, 50_000]], { chat: chatName(0) }),
]
