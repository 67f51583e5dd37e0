// This file finds names that resemble one that the reader knows. The service refuses a name that resembles another one
// letter by letter; it does not refuse a name with additions: a word, a digit, another order.

import { normalForm } from '@parley/sdk/normal-form.ts'

/** These words are added to a name to speak for its owner. */
const added = new Set(
  'a acc account actual admin again alt and authentic backup bot btc coin contact crypto dao desk ens eth fake fresh genuine help helpdesk her here him his i im info is it its just mail main me mod moderator msg my new nft now of off official okay old original own page private pro profile real recovery second sec secure security service sol staff support team that the this true trusted two u us v verified vip wallet web with x xyz your'.split(
    ' ',
  ),
)

/** These are the same words, written together with the name. */
const affixes =
  'helpdesk authentic official verified original security recovery support genuine account backup wallet crypto admin real team help new eth nft dao alt'.split(
    ' ',
  )

/** These digits are read as letters. */
const letters: Record<string, string> = { 0: 'o', 1: 'l', 3: 'e', 4: 'a', 5: 's', 7: 't', 8: 'b' }

/** A name is compared in these forms. */
interface Forms {
  /** These are its words in their order, without added words. */
  words: string[]
  /** This is the rest of it as one word. */
  whole: ReadonlySet<string>
}

const plain = (text: string) =>
  normalForm(text, 'NFKD')
    .replace(/\p{M}+/gu, '')
    // This separates words that are written together.
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()

const wordsOf = (text: string) => text.match(/\p{L}+/gu) ?? []

/** Returns a word without added words at its ends: `miraofficial`, `realmira`. */
function bare(word: string): string {
  for (const affix of affixes) {
    if (word.length < affix.length + 4) continue
    if (word.endsWith(affix)) return bare(word.slice(0, -affix.length))
    if (word.startsWith(affix)) return bare(word.slice(affix.length))
  }
  return word
}

function read(text: string): { words: string[]; whole: string[] } {
  const all = wordsOf(text)
  const distinctive = all.filter((word) => !added.has(word))
  // A name of added words alone is a name as well.
  const words = distinctive.length > 0 ? distinctive : all
  return { words, whole: [words.join(''), words.map(bare).join(''), bare(words.join(''))] }
}

const known = new Map<string, Forms>()

function formsOf(name: string): Forms {
  const found = known.get(name)
  if (found) return found
  const text = plain(name)
  // Digits are left out in one form, and read as letters in another.
  const without = read(text.replace(/\p{N}+/gu, ' '))
  const closed = read(text.replace(/\p{N}/gu, ''))
  const spelt = read(text.replace(/[0134578]/g, (digit) => letters[digit]!).replace(/\p{N}/gu, ''))
  const whole = new Set([...without.whole, ...closed.whole, ...spelt.whole].filter(Boolean))
  const forms = { words: without.words.map(bare), whole }
  if (known.size > 5000) known.clear()
  known.set(name, forms)
  return forms
}

/**
 * Returns true when one text becomes another by one letter: another one, one more, one less, or two that change places.
 */
export function isOneApart(one: string, other: string): boolean {
  const [a, b] = [Array.from(one), Array.from(other)]
  if (Math.abs(a.length - b.length) > 1) return false
  let start = 0
  while (start < a.length && a[start] === b[start]) start++
  let end = 0
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)]
  if (left.length <= 1 && right.length <= 1) return true
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0]
}

/** From this length on, names that differ by one letter are mistaken for each other. */
const longEnough = 5

const sorted = (words: string[]) => words.toSorted().join(' ')

/** Returns true when the words of one are those of the other in another order, also written together. */
function isReordered(one: Forms, other: Forms): boolean {
  if (one.words.length > 1 && sorted(one.words) === sorted(other.words)) return true
  return turned(one.words).some((text) => other.whole.has(text))
}

/** Returns the words rotated to start at each of them, and backwards. */
const turned = (words: string[]): string[] =>
  words.length < 2
    ? []
    : [
        words.toReversed().join(''),
        ...words.map((_, at) => [...words.slice(at), ...words.slice(0, at)].join('')),
      ]

/** Returns true when a name could be mistaken for another one. */
export function isAlike(name: string, other: string): boolean {
  if (!name.trim() || !other.trim()) return false
  if (name.toLowerCase() === other.toLowerCase()) return true
  const [a, b] = [formsOf(name), formsOf(other)]
  for (const one of a.whole)
    for (const two of b.whole) {
      if (one === two) return true
      if (one.length >= longEnough && two.length >= longEnough && isOneApart(one, two)) return true
    }
  return isReordered(a, b) || isReordered(b, a)
}
