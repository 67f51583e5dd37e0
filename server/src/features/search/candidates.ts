// Finds messages that may match: by the index, and what the index does not have yet by the lists' own indexes. A frequent word is
// found among the newest messages, which are walked first; a rare one by its words, in bounded time.

import { databaseFailure } from '../../db/failures.ts'
import { keyOf, ofWallet } from '../../db/own-rows.ts'
import type { Db } from '../../db/pool.ts'

/** Messages that may match, newest first. All older ones down to `to` are among them; 0 stands for all. */
export interface Candidates {
  ids: number[]
  to: number
}

/** So many of the newest messages of a wallet are walked, and of the newest posts of all its chats of a bucket together. */
const walked = 500
const fewestOfChat = 40
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
    where ${ofWallet} and id < $3 order by wbucket desc, walletaddr desc, id desc limit ${walked})
  select (select json_agg(id order by id desc) from recent where hit) as ids,
    (select count(*) from recent) as rows, (select min(id) from recent) as last`

// An expression keeps the planner from the primary key, by which it would read all messages of the wallet.
const lookUpDirect = `
  with found as materialized (
    select id from search_direct s
    where wbucket = $1 and walletaddr || '' = $2 and id + 0 < $3 and ${matches('$4', 's')})
  select id from found order by id desc limit ${mostFound}`

/** What one part of the index is asked: rows of a wallet, or of chats of one bucket. */
interface Source {
  walk: string
  toWalk: unknown[]
  lookUp: string
  toLookUp: unknown[]
  /** So many rows of a wallet or chat are walked. */
  walkedAtMost: number
}

export function ofDirect(wallet: string, { query, since, until }: Lookup, before: number): Source {
  const values = keyOf(wallet, before, query, since, until)
  return { walk: walkDirect, toWalk: values, lookUp: lookUpDirect, toLookUp: values, walkedAtMost: walked }
}

/** Walks the newest posts of each chat of a bucket. */
const walkPosts = `
  with recent as materialized (
    select u.chat, r.* from unnest($2::text[], $4::text[]) as u (chat, query) cross join lateral (
      select s.id, ${matches('u.query', 's')} as hit from search_posts s
      where s.bucket = $1 and s.chat = u.chat and s.id < $3
      order by s.bucket desc, s.chat desc, s.id desc limit $7
    ) r
  ), of_chat as (select chat, count(*) as rows, min(id) as last from recent group by chat)
  select (select json_agg(id order by id desc) from recent where hit) as ids,
    (select max(rows) from of_chat) as rows, (select max(last) from of_chat where rows >= $7) as last`

const lookUpPosts = `
  with found as materialized (
    select id from search_posts s
    where bucket = $1 and chat || '' = any($2::text[]) and id + 0 < $3 and ${matches('$4', 's')})
  select id from found order by id desc limit ${mostFound}`

/** Each of the chats, which lie in one bucket, has its tsquery. */
export function ofPosts(
  bucket: number,
  chats: readonly (Lookup & { chat: string })[],
  before: number,
): Source {
  const { since, until } = chats[0]!
  const walkedAtMost = Math.max(fewestOfChat, Math.floor(walked / chats.length))
  const keys = chats.map(({ chat }) => chat)
  const queries = chats.map(({ query }) => query)
  return {
    walk: walkPosts,
    toWalk: [bucket, keys, before, queries, since, until, walkedAtMost],
    lookUp: lookUpPosts,
    toLookUp: [bucket, keys, before, queries.map((query) => `(${query})`).join(' | '), since, until],
    walkedAtMost,
  }
}

/** This many matches among the newest messages are enough: the index of words is not read. */
const enough = 50

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

/** Finds what may match in each of some sources. After `deadline` it begins no look into the index of words. */
export async function findIn(db: Db, sources: readonly Source[], deadline: number): Promise<Candidates> {
  const recent = await inTime(db, async (tx) => {
    const all: Candidates[] = []
    for (const { walk, toWalk, walkedAtMost } of sources) {
      const [row] = await tx.query<Walked>(walk, toWalk)
      const { ids, rows, last } = row!
      all.push({ ids: ids ?? [], to: (rows ?? 0) < walkedAtMost ? 0 : last })
    }
    return all
  })
  const all: Candidates[] = []
  for (const [n, one] of recent.entries())
    all.push(performance.now() > deadline ? one : await lookUpAfter(db, sources[n]!, one))
  return { ids: all.flatMap(({ ids }) => ids), to: Math.max(0, ...all.map(({ to }) => to)) }
}

/** Looks into the index of words, where the newest messages are not enough. */
async function lookUpAfter(db: Db, { lookUp, toLookUp }: Source, recent: Candidates): Promise<Candidates> {
  if (recent.to === 0 || recent.ids.filter((id) => id >= recent.to).length >= enough) return recent
  try {
    const found = await inTime(db, (tx) => tx.query<{ id: number }>(lookUp, toLookUp))
    return { ids: found.map(({ id }) => id), to: found.length < mostFound ? 0 : found.at(-1)!.id }
  } catch (error) {
    // The search goes on from there.
    if (databaseFailure(error as Error) === 'slow') return recent
    throw error
  }
}

/** The newest messages that the index does not have yet: so many of each kind are read. */
const mostBehind = 200

interface Behind {
  ids: number[]
  /** There are more, which are not read. */
  isCut: boolean
}

const behindDirect = `
  select id from (
    (select id from direct_messages where fromaddr = any(array[$1::text]) and id > $2 and id < $3
     order by fromaddr desc, id desc limit ${mostBehind})
    union all
    (select id from direct_messages where toaddr = any(array[$1::text]) and id > $2 and id < $3
     order by toaddr desc, id desc limit ${mostBehind})
  ) u`

// An event about a message that was edited names it; its new words are not in the index.
const behindEdited = `
  select (event->>'id')::bigint as id from events
  where walletaddr = any($1::text[]) and id > $2 and event->>'type' = 'edited' order by walletaddr, id limit ${mostBehind}`

/** Finds direct messages of a wallet, and edits of them or of posts in chats, that the index does not have yet. */
export async function findBehind(
  db: Db,
  { wallet, isDirect, chats }: { wallet: string; isDirect: boolean; chats: readonly string[] },
  after: number,
  before: number,
): Promise<Behind> {
  const direct = isDirect ? await db.query<{ id: number }>(behindDirect, [wallet, after, before]) : []
  const places = [...(isDirect ? [wallet] : []), ...chats.map((chat) => `chat ${chat}`)]
  const edited = await db.query<{ id: number }>(behindEdited, [places, after])
  return {
    ids: [...direct, ...edited].map(({ id }) => id).filter((id) => id < before),
    isCut: direct.length >= mostBehind || edited.length === mostBehind,
  }
}

const behindPosts = `
  select r.id from unnest($2::text[]) as u (chat) cross join lateral (
    (select g.id from group_messages g where g.bucket = $1 and g.chat = u.chat and g.id > $3 and g.id < $4
     order by g.bucket desc, g.chat desc, g.id desc limit ${mostBehind})
    union all
    (select w.id from withheld_posts w where w.bucket = $1 and w.chat = u.chat and w.fromaddr = $5 and w.id > $3 and w.id < $4
     order by w.bucket desc, w.chat desc, w.fromaddr desc, w.id desc limit ${mostBehind})
  ) r`

/** Finds posts of chats of one bucket that the index does not have yet. */
export async function findPostsBehind(
  db: Db,
  bucket: number,
  chats: readonly string[],
  { wallet, after, before }: { wallet: string; after: number; before: number },
): Promise<Behind> {
  const rows = await db.query<{ id: number }>(behindPosts, [bucket, chats, after, before, wallet])
  return { ids: rows.map(({ id }) => id), isCut: rows.length >= mostBehind }
}

/** Returns the time of the newest message up to an id, in epoch milliseconds. */
export async function timeUpTo(db: Db, id: number): Promise<number> {
  const [row] = await db.query<{ ms: number | null }>(
    `select max(ms) as ms from (
       (select ms from direct_messages where id <= $1 order by id desc limit 1)
       union all
       (select ms from group_messages where id <= $1 order by id desc limit 1)) newest`,
    [id],
  )
  return row!.ms ?? 0
}
