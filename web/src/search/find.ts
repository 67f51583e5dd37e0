// Searches the index: which messages may fit, newest first, and of these the ones whose text fits.

import type { SearchFor } from '@parley/sdk/contract/search.ts'
import { fits } from '@parley/sdk/search/filters.ts'
import { indexWordsOf, type Mark, match, parseQuery, type SearchQuery } from '@parley/sdk/search/query.ts'
import type { StoredText } from './docs.ts'
import type { MessageIndex } from './message-index.ts'
import type { Facts, Segment } from './segment.ts'

/** A message whose text fits, as it is stored here. */
export interface FoundHere extends StoredText {
  facts: Facts
  marks: Mark[]
}

/** The texts of this many messages are read at once. */
const atOnce = 32

/** Returns what somebody searches for; undefined when an encrypted message cannot be meant. */
export function queryOf({ q, chat, has }: SearchFor): SearchQuery | undefined {
  const query = parseQuery(q)
  if (chat !== undefined || 'problem' in query) return undefined
  return query.terms.length > 0 || has !== undefined ? query : undefined
}

/** Goes through the messages that fit, newest first. */
export async function* findHere(
  index: MessageIndex,
  search: SearchFor,
  query: SearchQuery,
  me: string,
): AsyncGenerator<FoundHere> {
  const facts = candidates(index, search, query, me)
  for (let at = 0; at < facts.length; at += atOnce) {
    const some = facts.slice(at, at + atOnce)
    const texts = await index.textsOf(some)
    for (const [n, stored] of texts.entries()) {
      const marks = stored && matchIn(query, stored)
      if (marks) yield { ...stored, facts: some[n]!, marks }
    }
  }
}

/** Returns where the text of a message fits; undefined when neither it nor the names of its files do. */
export const matchIn = (query: SearchQuery, { text, names }: StoredText): Mark[] | undefined =>
  match(query, [text, ...names])?.[0]

function candidates(index: MessageIndex, search: SearchFor, query: SearchQuery, me: string): Facts[] {
  const isFiltered = filterOf(search, me)
  const found: Facts[] = []
  for (const { segment, dead } of index.all())
    for (const doc of docsOf(segment, query)) {
      if (dead.has(doc)) continue
      const facts = segment.facts(doc)
      if (isFiltered(facts)) found.push(facts)
    }
  return found.toSorted((a, b) => b.id - a.id)
}

/** Returns the messages of a segment that have all words of a query. */
function docsOf(segment: Segment, query: SearchQuery): number[] {
  const words = indexWordsOf(query)
  const having = new Uint8Array(segment.count)
  for (const [n, wanted] of words.entries())
    segment.visit(wanted, (doc) => {
      if (having[doc] === n) having[doc] = n + 1
    })
  return [...having.keys()].filter((doc) => having[doc] === words.length)
}

function filterOf(search: SearchFor, me: string): (facts: Facts) => boolean {
  const filters = { ...search, since: timeOf(search.since), until: timeOf(search.until) }
  return ({ id, time, peer, isMine, nft, hasFile, hasLink, hasPicture }) => {
    const has = { file: hasFile, link: hasLink, picture: hasPicture }
    return fits(filters, { id, time, peer, from: isMine ? me : peer, nftaddr: nft, has: (what) => has[what] })
  }
}

const timeOf = (time: string | undefined) => (time === undefined ? undefined : Date.parse(time))
