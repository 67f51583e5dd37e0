// What a text of a post looks like, so far alike that letters which are often mistaken are the same. A text has up to 64 KiB and
// every post of a chat with words asks, so each character is read once, and a table has all of them that change.

import { confusableCharacters, ignorable, skeletonOf } from './skeleton.ts'

/** The time to sort marks grows with the square of how many stand in a row, so what is beyond four is left out. */
const manyMarks = /(\p{M}{4})\p{M}+/gu

const decompose = (text: string): string => text.replace(manyMarks, '$1').normalize('NFD')

const roughCharacter = (character: string): string =>
  skeletonOf(character)
    .toLowerCase()
    .replace(/[i1]/g, 'l')
    .replaceAll('0', 'o')
    .replaceAll('m', 'rn')
    .replaceAll('w', 'vv')

let changes: Map<number, string> | undefined

/** Made when it is first needed, in some hundredths of a second: most services have no words to find. */
const changesOf = (): Map<number, string> =>
  (changes ??= new Map(
    confusableCharacters()
      .map((character) => [character.codePointAt(0)!, roughCharacter(character)] as const)
      .filter(([code, rough]) => rough !== String.fromCodePoint(code)),
  ))

/** What a text looks like, in lower case; texts that look alike give the same. */
export function roughText(text: string): string {
  const changed = changesOf()
  const plain = decompose(text.toLowerCase().replace(ignorable, ''))
  let rough = ''
  let from = 0
  for (let at = 0; at < plain.length; at++) {
    const code = plain.codePointAt(at)!
    const looks = changed.get(code)
    const length = code > 0xffff ? 2 : 1
    if (looks !== undefined) {
      rough += plain.slice(from, at) + looks
      from = at + length
    }
    at += length - 1
  }
  return decompose(rough + plain.slice(from))
}
