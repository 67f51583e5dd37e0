// Searches in rounds: finds messages that may match, reads them as lists show them, and keeps those that match. A search ends when
// it has enough, when nothing is left, or after its share of work: then it says from where to go on.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ChatItem } from '@parley/sdk/contract/direct-messages.ts'
import type { GroupChatItem } from '@parley/sdk/contract/group-chats.ts'
import type { SearchHit, SearchRest } from '@parley/sdk/contract/search.ts'
import { type Filters, fits, hasOf } from '@parley/sdk/search/filters.ts'
import { match, type SearchQuery } from '@parley/sdk/search/query.ts'
import { followedTo } from '../../cluster/follow.ts'
import type { Db } from '../../db/pool.ts'
import { forEachLimited } from '../../lib/for-each-limited.ts'
import { findBehind, findPostsBehind, timeUpTo } from './behind.ts'
import { type Candidates, findIn, ofDirect, ofPosts, type Wanted } from './candidates.ts'
import { groupsOf } from './chat-groups.ts'
import { readDirect, readPosts } from './items.ts'
import { directQuery, postsQuery } from './lexemes.ts'
import { searchReader } from './reader.ts'

type Item = ChatItem | GroupChatItem

export interface Search {
  wallet: string
  query: SearchQuery
  filters: Filters
  /** Direct messages are searched. */
  isDirect: boolean
  /** The chats that are searched, by their keys; the wallet may read them. */
  chats: readonly string[]
  before: number
  limit: number
}

/** One search takes at most this many rounds, and begins nothing after this many milliseconds. */
const mostRounds = 8
const patience = 700
/** One search compares texts for at most this many milliseconds, and others get their turn after a few. */
const longestMatching = 250
const longestTurn = 5
/** So many statements of one search run at once. */
const atOnce = 4
/** Some of the messages that may match do not: so many more than wanted are found. */
const spare = 5
/** One round reads at most this many messages. */
const mostRead = 100

export async function find(db: Db, search: Search): Promise<(SearchHit | SearchRest)[]> {
  const { limit } = search
  const deadline = performance.now() + patience
  const position = await followedTo(db, searchReader)
  const hits: SearchHit[] = []
  const work = { left: longestMatching }
  let to = search.before
  // These go on side by side.
  const wanted = () => ({ count: limit - hits.length + spare, deadline })
  const first = findCandidates(db, search, to, wanted())
  const [behind] = await Promise.all([readBehind(db, search, position), first])
  for (let round = 0; round < mostRounds && to > 0 && hits.length < limit && work.left >= 0; round++) {
    if (round > 0 && performance.now() > deadline) break
    const found = await (round === 0 ? first : findCandidates(db, search, to, wanted()))
    // What the index does not have yet is newer than all that it has, except for edits.
    const ids = [...new Set([...found.ids, ...behind.ids.filter((id) => id < to)])]
      .filter((id) => id >= found.to)
      .toSorted((a, b) => b - a)
    to = found.to
    for (let n = 0; n < ids.length && hits.length < limit; n += mostRead) {
      const items = await readItems(db, search, ids.slice(n, n + mostRead))
      const end = await addMatches(hits, items, search, work)
      if (end === undefined) continue
      // The rest of them is for the next request.
      to = end
      break
    }
  }
  const rest: SearchRest = {
    ...(behind.isCut && { complete_to: new Date(await timeUpTo(db, position)).toISOString() }),
    ...(hits.length < limit && to > 0 && { searched_to: to }),
  }
  return Object.keys(rest).length > 0 ? [...hits, rest] : hits
}

/** Finds what may match and has an id below `before`. */
function findCandidates(db: Db, search: Search, before: number, wanted: Wanted): Promise<Candidates> {
  const { wallet, query, filters, isDirect, chats } = search
  const { since = 0, until = Number.MAX_SAFE_INTEGER } = filters
  const now = db.now()
  const posts = groupsOf(db, chats).map((group) =>
    ofPosts(
      group,
      group.chats.map((chat) => ({ query: postsQuery(chat, query, filters, now), since, until })),
      before,
    ),
  )
  const direct = ofDirect(wallet, { query: directQuery(wallet, query, filters, now), since, until }, before)
  return findIn(db, isDirect ? [direct, ...posts] : posts, wanted)
}

/** Reads what is newer than the index. */
async function readBehind(db: Db, { wallet, isDirect, chats, before }: Search, position: number) {
  const all = [await findBehind(db, { wallet, isDirect, chats }, position, before)]
  await forEachLimited(groupsOf(db, chats), atOnce, async (group) => {
    all.push(await findPostsBehind(db, group, { wallet, after: position, before }))
  })
  return { ids: all.flatMap(({ ids }) => ids), isCut: all.some(({ isCut }) => isCut) }
}

/** Reads messages as lists show them, newest first. */
async function readItems(
  db: Db,
  { wallet, isDirect, chats }: Search,
  ids: readonly number[],
): Promise<Item[]> {
  const [direct, posts] = await Promise.all([
    isDirect ? readDirect(db, wallet, ids) : [],
    chats.length > 0 ? readPosts(db, wallet, ids, chats) : [],
  ])
  return [...direct, ...posts].toSorted((a, b) => b.id - a.id)
}

/** Adds the messages that match, until there are enough. Returns the id of the last one that was compared, when the work ends before. */
async function addMatches(
  hits: SearchHit[],
  items: readonly Item[],
  search: Search,
  work: { left: number },
): Promise<number | undefined> {
  let began = performance.now()
  for (const item of items) {
    if (hits.length === search.limit) return undefined
    const marks = matchItem(search, item)
    if (marks) hits.push({ item, marks })
    const took = performance.now() - began
    if (took < longestTurn) continue
    work.left -= took
    if (work.left < 0) return item.id
    await nextTurn()
    began = performance.now()
  }
  return undefined
}

/** Returns where the text of a message matches; undefined when the message does not. */
function matchItem({ query, filters, wallet }: Search, item: Item): SearchHit['marks'] | undefined {
  const { id, fromaddr, message, timestamp, files = [] } = item
  const texts = [message, ...files.flatMap(({ name }) => name ?? [])]
  const isIn = fits(filters, {
    id,
    time: Date.parse(timestamp),
    from: fromaddr,
    ...('toaddr' in item && {
      peer: fromaddr === wallet ? item.toaddr : fromaddr,
      nftaddr: item.nftaddr,
    }),
    has: (what) => hasOf(what, texts, files),
  })
  return isIn ? match(query, texts)?.[0] : undefined
}
