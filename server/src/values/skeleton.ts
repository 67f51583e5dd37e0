// What a text looks like (UTS #39): each character replaced by the prototype of the characters it
// can be confused with.

import confusables from 'unhomoglyph/data.json' with { type: 'json' }

/** Unicode's `confusables.txt`: what each confusable character looks like. */
const prototypes: Record<string, string> = confusables

// What the table keeps apart from the letters they are read as: small capitals, and letters in a
// circle, in a square or in a flag.
const capitals: Record<string, string> = {
  ...Object.fromEntries(
    Array.from('ᴀʙᴄᴅᴇꜰɢʜᴊᴋʟɴᴘʀꜱᴛᴜᴡʏᴢĸ', (from, at) => [from, 'abcdefghjklnprstuwyzk'[at]!]),
  ),
  ᴍ: 'rn',
}
const enclosedFrom = [0x1f150, 0x1f170, 0x1f1e6]

/** Not visible, or not assigned: controls, format characters (zero-width, bidi), private use, surrogates, fillers and selectors; and the one symbol that is a blank. */
export const invisible = /[\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u

/** Characters that are not seen by themselves: joiners, selectors, fillers, tags. */
export const ignorable = /\p{Default_Ignorable_Code_Point}/gu

/**
 * UTS #39 §4, without its step for text of mixed direction. What the table leaves to a restriction
 * on identifiers (full-width letters, for one) is mapped by its NFKD form.
 */
export const skeletonOf = (text: string): string =>
  Array.from(text.normalize('NFD').replace(ignorable, ''), prototypeOf).join('').normalize('NFD')

const prototypeOf = (character: string) =>
  plain(
    prototypes[character] ??
      Array.from(character.normalize('NFKD'), (part) => prototypes[part] ?? part).join(''),
  )

/** All characters that look like something else and have no canonical decomposition, and some more. */
export function confusableCharacters(): string[] {
  const found = new Set([...Object.keys(prototypes), ...Object.keys(capitals)])
  // Characters of which NFKD makes something else are in the first two planes. Most blocks have none: one step for each.
  for (let from = 0; from < 0x20000; from += 0x100) {
    if (from >= 0xac00 && from < 0xe000) continue
    const block = Array.from({ length: 0x100 }, (_, n) => String.fromCodePoint(from + n))
    const whole = block.join('')
    if (
      from === 0 ||
      enclosedFrom.some((first) => from >> 8 === first >> 8) ||
      whole.normalize('NFKD') !== whole
    )
      for (const character of block) found.add(character)
  }
  return [...found].filter((character) => character.normalize('NFD') === character)
}

function plain(text: string): string {
  if (capitals[text] !== undefined) return capitals[text]
  const code = text.codePointAt(0)!
  const first = enclosedFrom.find((from) => code >= from && code < from + 26)
  if (first === undefined) return text
  const letter = String.fromCharCode(0x41 + code - first)
  return prototypes[letter] ?? letter
}

/** The form in which texts compare without case. */
export const foldName = (text: string): string => text.normalize('NFC').toLowerCase().normalize('NFC')

/** The same for letters that look like one of ASCII: what is ASCII already stays as it is. */
export const latinLetters = (text: string): string =>
  text.normalize('NFKC').replace(/[^\0-\x7f]/gu, prototypeOf)

/** The same for its punctuation alone, and for letters that look like a dot. */
export const plainPunctuation = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[^\p{N}\0-\x7f]/gu, (character) =>
      prototypes[character] === '.' || !/\p{L}/u.test(character)
        ? (prototypes[character] ?? character)
        : character,
    )

/** The letters and digits of what a text looks like, so far alike that they are the same in any case and font. */
export const roughLetters = (text: string): string =>
  skeletonOf(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replace(/[i1]/g, 'l')
    .replaceAll('m', 'rn')
    .replaceAll('w', 'vv')
