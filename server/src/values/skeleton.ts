// Computes what a text looks like (UTS #39): each character is replaced by the prototype of the characters it can be confused
// with.

import { normalForm } from '@parley/sdk/normal-form.ts'
import confusables from 'unhomoglyph/data.json' with { type: 'json' }

/** Unicode's `confusables.txt` says what each confusable character looks like. */
const prototypes: Record<string, string> = confusables

// The table distinguishes these from the letters that people read: small capitals, and letters in a circle, a square or a flag.
const capitals: Record<string, string> = {
  ...Object.fromEntries(
    Array.from('ᴀʙᴄᴅᴇꜰɢʜᴊᴋʟɴᴘʀꜱᴛᴜᴡʏᴢĸ', (from, at) => [from, 'abcdefghjklnprstuwyzk'[at]!]),
  ),
  ᴍ: 'rn',
}
const enclosedFrom = [0x1f150, 0x1f170, 0x1f1e6]

/**
 * These are not visible or not assigned: controls, format characters (zero-width, bidi), private use, surrogates, fillers and
 * selectors; and the one symbol that is a blank.
 */
export const invisible = /[\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u

/** These characters are not visible by themselves: joiners, selectors, fillers, tags. */
export const ignorable = /\p{Default_Ignorable_Code_Point}/gu

/**
 * Follows UTS #39 §4, without its step for text of mixed direction. What the table leaves to a restriction on identifiers (for
 * example full-width letters) is mapped by its NFKD form.
 */
export const skeletonOf = (text: string): string =>
  normalForm(Array.from(normalForm(text.replace(ignorable, ''), 'NFD'), prototypeOf).join(''), 'NFD')

/** This is a cache: a text has few different characters, and each costs about a microsecond. */
const known = new Map<string, string>()
const mostKnown = 10_000

function prototypeOf(character: string): string {
  const found = known.get(character)
  if (found !== undefined) return found
  const prototype = plain(
    prototypes[character] ??
      Array.from(normalForm(character, 'NFKD'), (part) => prototypes[part] ?? part).join(''),
  )
  if (known.size >= mostKnown) known.clear()
  known.set(character, prototype)
  return prototype
}

/** Returns all characters that look like something else and have no canonical decomposition, and some more. */
export function confusableCharacters(): string[] {
  const found = new Set([...Object.keys(prototypes), ...Object.keys(capitals)])
  // All characters that NFKD changes are in the first two planes. Most blocks have none, so each takes one step.
  for (let from = 0; from < 0x20000; from += 0x100) {
    if (from >= 0xac00 && from < 0xe000) continue
    const block = Array.from({ length: 0x100 }, (_, n) => String.fromCodePoint(from + n))
    const whole = block.join('')
    if (
      from === 0 ||
      enclosedFrom.some((first) => from >> 8 === first >> 8) ||
      normalForm(whole, 'NFKD') !== whole
    )
      for (const character of block) found.add(character)
  }
  return [...found].filter((character) => normalForm(character, 'NFD') === character)
}

function plain(text: string): string {
  if (capitals[text] !== undefined) return capitals[text]
  const code = text.codePointAt(0)!
  const first = enclosedFrom.find((from) => code >= from && code < from + 26)
  if (first === undefined) return text
  const letter = String.fromCharCode(0x41 + code - first)
  return prototypes[letter] ?? letter
}

/** Returns the form in which texts compare without case. */
export const foldName = (text: string): string => normalForm(normalForm(text, 'NFC').toLowerCase(), 'NFC')

/** Does the same for letters that look like an ASCII letter. ASCII itself stays unchanged. */
export const latinLetters = (text: string): string =>
  normalForm(text, 'NFKC').replace(/[^\0-\x7f]/gu, prototypeOf)

/** Does the same for punctuation only, and for letters that look like a dot. */
export const plainPunctuation = (text: string): string =>
  normalForm(text, 'NFKC').replace(/[^\p{N}\0-\x7f]/gu, (character) =>
    prototypes[character] === '.' || !/\p{L}/u.test(character)
      ? (prototypes[character] ?? character)
      : character,
  )

/** Reduces a text to letters and digits that are the same in any case and font. */
export const roughLetters = (text: string): string =>
  skeletonOf(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replace(/[i1]/g, 'l')
    .replaceAll('m', 'rn')
    .replaceAll('w', 'vv')
