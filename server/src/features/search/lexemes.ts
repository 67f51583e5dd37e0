// The index has lexemes: a word with a mark of who may search it before it, eight characters of a hash of the wallet or chat. So
// the words of others cost a search nothing, also where it looks for the beginning of a word. What is no word begins with `@`.

import { createHash } from 'node:crypto'
import { type Filters, hasOf } from '@parley/sdk/search/filters.ts'
import { indexWordsOf, type SearchQuery } from '@parley/sdk/search/query.ts'
import { LRUCache } from 'lru-cache'
import { day } from '../../lib/times.ts'

/** The index reads at most this many words of a query: the longest, which are the rarest. */
const mostLookedUp = 16
/** With more months than this, times are compared in the messages alone. */
const mostMonths = 60

const marks = new LRUCache<string, string>({ maxSize: 10_000, sizeCalculation: () => 1 })

/** Returns the mark of a wallet or chat. Two that share one cost time, and show each other nothing. */
function markOf(place: string): string {
  const known = marks.get(place)
  if (known) return known
  const mark = createHash('sha256').update(place).digest('base64url').slice(0, 8)
  marks.set(place, mark)
  return mark
}

/** The part of a message that the index knows. */
export interface Indexed {
  fromaddr: string
  ms: number
  /** The texts that somebody sees: those of the message, and names of its files. */
  texts: string[]
  files: readonly { type?: string }[]
}

const contents = ['file', 'link', 'picture'] as const

const monthOf = (ms: number) => new Date(ms).toISOString().slice(0, 7)

const factsOf = ({ ms, texts, files }: Indexed): string[] => [
  `@t${monthOf(ms)}`,
  ...contents.filter((what) => hasOf(what, texts, files)).map((what) => `@${what}`),
]

/** Returns the lexemes of a direct message for one of its ends. */
export function lexemesOfMessage(
  wallet: string,
  message: Indexed & { toaddr: string; nftaddr: string | null },
  words: ReadonlySet<string>,
): string[] {
  const { fromaddr, toaddr, nftaddr } = message
  const isMine = fromaddr === wallet
  const facts = [
    ...factsOf(message),
    `@p${markOf(isMine ? toaddr : fromaddr)}`,
    isMine ? '@mine' : '@theirs',
    ...(nftaddr === null ? [] : [`@n${markOf(nftaddr)}`]),
  ]
  return [...words, ...facts].map((one) => markOf(wallet) + one)
}

/** Returns the lexemes of a post. */
export const lexemesOfPost = (chat: string, post: Indexed, words: ReadonlySet<string>): string[] =>
  [...words, ...factsOf(post), `@f${markOf(post.fromaddr)}`].map((one) => markOf(chat) + one)

const quoted = (lexeme: string) => `'${lexeme.replaceAll(/['\\]/g, (one) => one + one)}'`

/** Returns the tsquery of a search in what has the mark of a wallet or chat. */
function tsquery(place: string, query: SearchQuery, facts: string[], filters: Filters, now: number): string {
  const mark = markOf(place)
  const lexeme = (text: string) => quoted(mark + text)
  const words = indexWordsOf(query)
    .map((one) => ('word' in one ? lexeme(one.word) : `${lexeme(one.prefix)}:*`))
    .toSorted((a, b) => b.length - a.length)
    .slice(0, mostLookedUp)
  const has = filters.has === undefined ? [] : [`@${filters.has}`]
  return [
    ...words,
    ...[...facts, ...has].map(lexeme),
    ...monthsOf(filters, now).map((months) => inMonths(months, lexeme)),
  ].join(' & ')
}

const inMonths = ({ months, isIn }: Months, lexeme: (text: string) => string) =>
  `${isIn ? '' : '!'}(${months.map((month) => lexeme(`@t${month}`)).join(' | ')})`

interface Months {
  months: string[]
  isIn: boolean
}

/** Returns the months in which messages are, or are not. */
function monthsOf({ since, until }: Filters, now: number): Months[] {
  // The clock of the database may be ahead.
  const later = now + 40 * day
  const asked: Months[] = []
  if (since !== undefined) asked.push({ months: between(since, Math.min(until ?? later, later)), isIn: true })
  else if (until !== undefined) asked.push({ months: between(nextMonth(until - 1), later), isIn: false })
  return asked.filter(({ months }) => months.length > 0 && months.length <= mostMonths)
}

function nextMonth(ms: number): number {
  const date = new Date(ms)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
}

function between(from: number, to: number): string[] {
  const months: string[] = []
  const first = new Date(from)
  for (let n = 0; n <= mostMonths; n++) {
    const month = Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + n)
    if (month > to) break
    months.push(monthOf(month))
  }
  return months
}

/** Returns the tsquery of the direct messages of a wallet. */
export function directQuery(wallet: string, query: SearchQuery, filters: Filters, now: number): string {
  const { peer, from, nftaddr } = filters
  const facts = [
    ...(peer === undefined ? [] : [`@p${markOf(peer)}`]),
    ...(from === undefined ? [] : from === wallet ? ['@mine'] : ['@theirs', `@p${markOf(from)}`]),
    ...(nftaddr === undefined ? [] : [`@n${markOf(nftaddr)}`]),
  ]
  return tsquery(wallet, query, facts, filters, now)
}

/** Returns the tsquery of the posts of a chat. */
export const postsQuery = (chat: string, query: SearchQuery, filters: Filters, now: number): string =>
  tsquery(chat, query, filters.from === undefined ? [] : [`@f${markOf(filters.from)}`], filters, now)
