// The words of a text, as searches know them. The service and browsers use this one module, so both find the same.
//
// A text is normalised (NFKC), folded to lower case, and loses its accents. A word is a run of letters and digits; punctuation
// parts words, so an address, a mail address or a hyphenated word is a row of words. Scripts without spaces (Han, Kana, Hangul,
// Thai, Lao, Khmer, Myanmar) have no words to see: each of their letters is one, and an index has each with the letter behind it.
// An emoji is a word without its skin tone. Nothing is stemmed, and no dictionary is used: those differ between browsers.

import { normalForm } from '../normal-form.ts'

/** A text has at most this many different words; what stands behind them is not found. */
export const mostWords = 2000
/** A longer word is cut after this many UTF-16 units. */
const longestWord = 64

/** A word of a text. */
export interface Token {
  /** The folded word. */
  word: string
  /** These are its place in the text, in UTF-16 units, the end excluded. */
  start: number
  end: number
  /** A letter of a script without spaces. */
  isLetter: boolean
  /** Such a letter stands directly behind another one. */
  isJoined: boolean
}

// A letter with its marks is normalised as a whole, and so is what two or three characters make together: a Hangul syllable in
// parts, as names of files are stored on a Mac, Kana of half width, and the vowel AM of Thai and Lao. Most of a text in Latin letters is runs of plain letters, and of what stands between them: such a run is one piece.
const piece =
  /[A-Za-z0-9]+(?!\p{M})|[\t\n\r -/:-@[-`{-~]+(?!\p{M})|(?:[\u1100-\u1112][\u1161-\u1175][\u11a8-\u11c2]?|[\uff66-\uff9d][\uff9e\uff9f]|\u0e4d\u0e32|\u0ecd\u0eb2|\P{M})(?:(?!\u0e4d\u0e32|\u0ecd\u0eb2)\p{M})*|\p{M}/gu
/** Accents, and the vowel signs of Arabic and Hebrew, which are mostly left out. */
const accents =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed]/g
/**
 * Soft hyphens, joiners, the line that makes an Arabic word longer, variants and tones of emoji. A space of no width is not among
 * them: it parts words.
 */
const unseen = /(?!\u200b)\p{Cf}|\u0640|[\ufe00-\ufe0f]|\u20e3|\p{Emoji_Modifier}/gu
const notOfWords = /[^\p{L}\p{N}\p{M}]/gu
const emoji = /\p{Extended_Pictographic}/u
const halfFlag = /^\p{Regional_Indicator}$/u
const spaceless =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u
const oneLetter = /\P{M}\p{M}*|\p{M}+/gu

/** A normal form takes these vowels apart, so that their first half would join the letter before. */
const am = /^(?:\u0e33|\u0e4d\u0e32)/
const laoAm = /^(?:\u0eb3|\u0ecd\u0eb2)/

/** No normal form takes these letters apart. */
const parts = new Map(
  Object.entries({
    ß: 'ss',
    ı: 'i',
    ø: 'o',
    đ: 'd',
    ð: 'd',
    ł: 'l',
    æ: 'ae',
    œ: 'oe',
    þ: 'th',
    ς: 'σ',
    ħ: 'h',
    ŋ: 'n',
  }),
)

type Kind = 'word' | 'letter' | 'emoji' | 'flag' | 'unseen' | 'gap'

const plain = /^[A-Za-z0-9]+$/
const between = /^[\t\n\r -/:-@[-`{-~]+$/

interface Folded {
  kind: Kind
  word: string
}

/** Pieces that were folded before: a text has few different ones. */
const known = new Map<string, Folded>()
const mostKnown = 10_000
const longestKnown = 4

/** Folds a piece of a text, and says what it is. */
function fold(text: string): Folded {
  if (plain.test(text)) return { kind: 'word', word: text.toLowerCase() }
  if (between.test(text)) return { kind: 'gap', word: text }
  const before = known.get(text)
  if (before) return before
  const folded = foldAnew(text)
  if (known.size >= mostKnown) known.clear()
  if (text.length <= longestKnown) known.set(text, folded)
  return folded
}

function foldAnew(text: string): Folded {
  if (am.test(text)) return { kind: 'letter', word: text.replace(am, '\u0e33') }
  if (laoAm.test(text)) return { kind: 'letter', word: text.replace(laoAm, '\u0eb3') }
  const lower = normalForm(text, 'NFKC').toLowerCase()
  const bare = normalForm(normalForm(lower, 'NFD').replaceAll(accents, ''), 'NFC')
  const seen = bare.replaceAll(unseen, '')
  if (seen === '') return { kind: 'unseen', word: '' }
  if (halfFlag.test(seen)) return { kind: 'flag', word: seen }
  const word = seen.replaceAll(notOfWords, '')
  if (word === '') return { kind: emoji.test(seen) ? 'emoji' : 'gap', word: seen }
  return { kind: spaceless.test(word) ? 'letter' : 'word', word: parts.get(word) ?? word }
}

/** Returns the words of a text in their order: all before the one that would be the 2001st different one. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  let last: { kind: Kind; token: Token } | undefined
  for (const { 0: found, index: start } of text.matchAll(piece)) {
    const { kind, word } = fold(found)
    const end = start + found.length
    if (kind === 'unseen') {
      // It neither ends a word nor begins one.
      if (last) last.token.end = end
      continue
    }
    if (kind === 'gap') {
      last = undefined
      continue
    }
    const goesOn = kind === last?.kind && (kind === 'word' || kind === 'flag')
    if (goesOn) {
      last!.token.word += word
      last!.token.end = end
      // Two halves are a flag.
      if (kind === 'flag') last = undefined
      continue
    }
    for (const one of kind === 'letter' ? word.match(oneLetter)! : [word]) {
      const token = {
        word: one,
        start,
        end,
        isLetter: kind === 'letter',
        isJoined: last?.kind === kind && kind === 'letter',
      }
      tokens.push(token)
      last = { kind, token }
    }
  }
  return bounded(tokens)
}

function bounded(tokens: Token[]): Token[] {
  for (const token of tokens)
    if (token.word.length > longestWord)
      token.word = token.word.slice(0, longestWord).replace(/[\ud800-\udbff]$/, '')
  const seen = new Set<string>()
  const end = tokens.findIndex((_, n) => seen.add(indexWord(tokens, n)).size > mostWords)
  return end === -1 ? tokens : tokens.slice(0, end)
}

/** Returns what an index stores of a token: its word, or a letter of a script without spaces with the one behind it. */
export function indexWord(tokens: readonly Token[], n: number): string {
  const { word, isLetter } = tokens[n]!
  const next = tokens[n + 1]
  return isLetter && next?.isJoined ? word + next.word : word
}

/** Returns what an index stores of texts. */
export const wordsOf = (...texts: readonly string[]): Set<string> =>
  new Set(
    texts.flatMap((text) => {
      const tokens = tokensOf(text)
      return tokens.map((_, n) => indexWord(tokens, n))
    }),
  )
