// Finds messages that may match, by the index. A frequent word is found among the newest messages, which are walked: the more, the
// rarer it is. A rare word is looked up in the index of words, in bounded time.

import { databaseFailure } from '../../db/failures.ts'
import { keyOf, ofWallet } from '../../db/own-rows.ts'
import type { Db } from '../../db/pool.ts'
import { type ChatGroup, forLayouts } from './chat-groups.ts'

/** Messages that may match, newest first. All older ones down to `to` are among them; 0 stands for all. */
export interface Candidates {
  ids: number[]
  to: number
}

/**
 * So many of the newest messages of a wallet are walked first, then so many, and of the newest posts of all its chats together: a
 * row costs about a microsecond, and one that is found by its words ten times as much.
 */
const walkedFirst = 500
const walkedNext = 4000
const mostWalked = 12_000
const fewestOfChat = 40
/** Of what is looked up, less than one message of this number matches. */
const rare = 500
/** The index returns so many ids at most. */
const mostFound = 200
/** A look into the index ends after this many milliseconds. */
const patience = 1000

interface Walked {
  ids: number[] | null
  rows: number
  last: number
}

/** A search in the index: its tsquery, and between which times, the end excluded. */
export interface Lookup {
  query: string
  since: number
  until: number
}

/** SQL that says whether a row `s` of the index matches; $5 and $6 are the times. */
const matches = (query: string, row: string) =>
  `${row}.words @@ ${query}::tsquery and ${row}.ms >= $5 and ${row}.ms < $6`

const walkDirect = `
  with recent as materialized (
    select id, ${matches('$4', 's')} as hit from search_direct s
    where ${ofWallet} and id < $3 order by wbucket desc, walletaddr desc, id desc limit $7)
  select (select json_agg(id order by id desc) from recent where hit) as ids,
    (select count(*) from recent) as rows, (select min(id) from recent) as last`

// An expression keeps the planner from the primary key, by which it would read all messages of the wallet.
const lookUpDirect = `
  with found as materialized (
    select id from search_direct s
    where wbucket = $1 and walletaddr || '' = $2 and id + 0 < $3 and ${matches('$4', 's')})
  select id from found order by id desc limit ${mostFound}`

/** What one part of the index is asked: rows of a wallet, or of chats. */
interface Source {
  walk: string
  lookUp: string
  /** These are the values of both; after them a walk has the number of rows of the wallet, or of each chat. */
  toWalk: unknown[]
  toLookUp: unknown[]
  chats: number
}

export function ofDirect(wallet: string, { query, since, until }: Lookup, before: number): Source {
  const values = keyOf(wallet, before, query, since, until)
  return { walk: walkDirect, lookUp: lookUpDirect, toWalk: values, toLookUp: values, chats: 1 }
}

/** Walks the newest posts of each chat. */
const walkPosts = forLayouts(
  ({ given, named, ofChat }) => `
  with recent as materialized (
    select u.chat, r.* from unnest($2::text[], $4::text[]${given}) as u (chat, query${named}) cross join lateral (
      select s.id, ${matches('u.query', 's')} as hit from search_posts s
      where s.bucket = ${ofChat} and s.chat = u.chat and s.id < $3
      order by s.bucket desc, s.chat desc, s.id desc limit $7
    ) r
  ), of_chat as (select chat, count(*) as rows, min(id) as last from recent group by chat)
  select (select json_agg(id order by id desc) from recent where hit) as ids,
    (select max(rows) from of_chat) as rows, (select max(last) from of_chat where rows >= $7) as last`,
)

const lookUpPosts = forLayouts(
  ({ any }) => `
  with found as materialized (
    select id from search_posts s
    where bucket = ${any} and chat || '' = any($2::text[]) and id + 0 < $3 and ${matches('$4', 's')})
  select id from found order by id desc limit ${mostFound}`,
)

/** Each of the chats of a group has its tsquery. */
export function ofPosts(
  { bucket, chats, layout }: ChatGroup,
  lookups: readonly Lookup[],
  before: number,
): Source {
  const { since, until } = lookups[0]!
  const queries = lookups.map(({ query }) => query)
  return {
    walk: walkPosts[layout],
    lookUp: lookUpPosts[layout],
    toWalk: [bucket, chats, before, queries, since, until],
    toLookUp: [bucket, chats, before, queries.map((query) => `(${query})`).join(' | '), since, until],
    chats: chats.length,
  }
}

// Each statement gets a plan for its own values: one for any values would rather read all rows of a wallet or bucket, and sort
// them.
const settings = `
  select set_config('statement_timeout', $1, true), set_config('plan_cache_mode', 'force_custom_plan', true)`

/** Searches wait for each other, and for nobody else. */
const inTime = <T>({ long }: Db, work: (tx: Db) => Promise<T>): Promise<T> =>
  long.transaction(async (tx) => {
    await tx.query(settings, [String(patience)])
    return work(tx)
  })

/** What is searched for: so many messages, and after `deadline` no look into the index of words begins. */
export interface Wanted {
  count: number
  deadline: number
}

/** Finds what may match in each of some sources. */
export async function findIn(db: Db, sources: readonly Source[], wanted: Wanted): Promise<Candidates> {
  const walked = await inTime(db, async (tx) => {
    const all: { recent: Candidates; isRare: boolean }[] = []
    for (const source of sources) all.push(await walkFar(tx, source, wanted.count))
    return all
  })
  const all: Candidates[] = []
  for (const [n, { recent, isRare }] of walked.entries())
    all.push(
      isRare && performance.now() < wanted.deadline ? await lookUpAfter(db, sources[n]!, recent) : recent,
    )
  return { ids: all.flatMap(({ ids }) => ids), to: Math.max(0, ...all.map(({ to }) => to)) }
}

/** Walks the newest messages, and more of them where that is likely to find enough. */
async function walkFar(tx: Db, source: Source, wanted: number) {
  const recent = await walk(tx, source, walkedFirst)
  const found = recent.ids.filter((id) => id >= recent.to).length
  if (recent.to === 0 || found >= wanted) return { recent, isRare: false }
  if (found === 0) return { recent, isRare: true }
  // A few that match say little about how many rows are enough.
  const likely = Math.min(mostWalked, Math.ceil((walkedFirst * 1.5 * wanted) / found))
  const rows = found < 4 ? walkedNext : likely
  const more = await walk(tx, source, rows)
  const all = more.ids.filter((id) => id >= more.to).length
  return { recent: more, isRare: more.to > 0 && all < wanted && all * rare < rows }
}

async function walk(tx: Db, { walk: statement, toWalk, chats }: Source, ofAll: number): Promise<Candidates> {
  const rowsOfEach = Math.max(fewestOfChat, Math.floor(ofAll / chats))
  const [row] = await tx.query<Walked>(statement, [...toWalk, rowsOfEach])
  const { ids, rows, last } = row!
  return { ids: ids ?? [], to: (rows ?? 0) < rowsOfEach ? 0 : last }
}

/** Looks into the index of words. */
async function lookUpAfter(db: Db, { lookUp, toLookUp }: Source, recent: Candidates): Promise<Candidates> {
  try {
    const found = await inTime(db, (tx) => tx.query<{ id: number }>(lookUp, toLookUp))
    return { ids: found.map(({ id }) => id), to: found.length < mostFound ? 0 : found.at(-1)!.id }
  } catch (error) {
    // The search goes on from there.
    if (databaseFailure(error as Error) === 'slow') return recent
    throw error
  }
}
