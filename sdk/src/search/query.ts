// What somebody searches for, and whether a text has it. The index of the service and that of a browser only say which texts may
// have it: this module decides, so nobody finds what a text does not have.

import { mostMarks } from '../contract/search.ts'
import { indexWord, type Token, tokensOf } from './words.ts'

/** A query has at most this many words and phrases, and this many of them may be the beginning of a word. */
export const mostTerms = 8
const mostPrefixes = 2

/** Words that stand side by side: one word, a phrase in quotes, or a word with punctuation in it, such as a mail address. */
interface Term {
  tokens: readonly Token[]
  /** The last word may go on. */
  isPrefix: boolean
}

export interface SearchQuery {
  terms: readonly Term[]
}

/** A place of a text that matched: where it begins and ends, in UTF-16 units. */
export type Mark = [start: number, end: number]

const beginningOfAddress = /^0x[0-9a-f]{2,}$/i
/** So begin addresses of Solana, and hardly a word. */
const beginningOfBase58 = /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[1-9A-HJ-NP-Za-km-z]{6,44}$/

/**
 * Reads what somebody has typed: `two words`, `"a phrase"`, `begin*`. The last word may go on, unless it stands in quotes, and so
 * may the beginning of an address (0x…, or of Solana). Returns a problem as a sentence's end, such as `must have at most 8 words`.
 */
export function parseQuery(text: string): SearchQuery | { problem: string } {
  const found = [...text.matchAll(/["“”„«»]([^"“”„«»]*)(?:["“”«»]|$)|([^\s"“”„«»]+)/gu)]
  const chunks = found
    .map(({ 1: phrase, 2: word = '' }) => ({
      text: phrase ?? word,
      isPhrase: phrase !== undefined,
      tokens: tokensOf(phrase ?? word),
    }))
    .filter(({ tokens }) => tokens.length > 0)
  const terms = chunks.map(({ text: chunk, isPhrase, tokens }, n): Term => {
    const last = tokens.at(-1)!
    const mayGoOn = !isPhrase && !last.isLetter && last.word.length > 1
    const isAddress = tokens.length === 1 && (beginningOfAddress.test(chunk) || beginningOfBase58.test(chunk))
    return { tokens, isPrefix: mayGoOn && (n === chunks.length - 1 || chunk.endsWith('*') || isAddress) }
  })
  if (terms.length > mostTerms) return { problem: `must have at most ${mostTerms} words and phrases` }
  if (chunks.filter(({ text: chunk, isPhrase }) => !isPhrase && chunk.endsWith('*')).length > mostPrefixes)
    return { problem: `must have at most ${mostPrefixes} beginnings of words (with *)` }
  const isLong = ({ word, isLetter }: Token) => isLetter || !/^[\p{L}\p{N}]$/u.test(word)
  if (terms.length > 0 && !terms.some(({ tokens }) => tokens.some(isLong) || tokens.length > 1))
    return { problem: 'must have a word of at least two letters' }
  return { terms }
}

/** Says which words an index must have for a text that matches: `word`, or what begins with `prefix`. */
export function indexWordsOf({ terms }: SearchQuery): ({ word: string } | { prefix: string })[] {
  const words: ({ word: string } | { prefix: string })[] = []
  for (const { tokens, isPrefix } of terms)
    for (const [n, { isLetter }] of tokens.entries()) {
      const word = indexWord(tokens, n)
      const isLast = n === tokens.length - 1
      // In a text a letter may stand before another one.
      const mayGoOn = isLetter ? isLast || !tokens[n + 1]!.isJoined : isLast && isPrefix
      words.push(mayGoOn ? { prefix: word } : { word })
    }
  return words
}

/** Returns where texts match a query: an array for each text. Undefined when a word or phrase is in none of them. */
export function match({ terms }: SearchQuery, texts: readonly string[]): Mark[][] | undefined {
  const all = texts.map((text) => ({ tokens: tokensOf(text), marks: [] as Mark[] }))
  for (const term of terms) {
    let found = false
    for (const { tokens, marks } of all)
      for (const mark of placesOf(term, tokens)) {
        found = true
        marks.push(mark)
      }
    if (!found) return undefined
  }
  return all.map(({ marks }) => merged(marks))
}

function placesOf({ tokens: wanted, isPrefix }: Term, tokens: readonly Token[]): Mark[] {
  const places: Mark[] = []
  for (let at = 0; at + wanted.length <= tokens.length; at++) {
    const matches = wanted.every((one, n) => {
      const token = tokens[at + n]!
      if (n > 0 && one.isJoined && !token.isJoined) return false
      return isPrefix && n === wanted.length - 1 ? token.word.startsWith(one.word) : token.word === one.word
    })
    if (matches) places.push([tokens[at]!.start, tokens[at + wanted.length - 1]!.end])
  }
  return places
}

/** Joins marks that overlap, in their order. */
function merged(marks: Mark[]): Mark[] {
  const all: Mark[] = []
  for (const [start, end] of marks.toSorted((a, b) => a[0] - b[0])) {
    const last = all.at(-1)
    if (last && start <= last[1]) last[1] = Math.max(last[1], end)
    else all.push([start, end])
  }
  return all.slice(0, mostMarks)
}
