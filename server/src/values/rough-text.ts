// Reduces the text of a post so far that letters which people often confuse are the same. A text has up to 64 KiB, and every post
// in a chat with a word filter needs this, so each character is read once, and a table has all characters that change.

import { normalForm } from '@parley/sdk/normal-form.ts'
import { confusableCharacters, ignorable, skeletonOf } from './skeleton.ts'

const roughCharacter = (character: string): string =>
  skeletonOf(character)
    .toLowerCase()
    .replace(/[i1]/g, 'l')
    .replaceAll('0', 'o')
    .replaceAll('m', 'rn')
    .replaceAll('w', 'vv')

let changes: Map<number, string> | undefined

/** The table is made on its first use, in some hundredths of a second: most services have no word filter. */
const changesOf = (): Map<number, string> =>
  (changes ??= new Map(
    confusableCharacters()
      .map((character) => [character.codePointAt(0)!, roughCharacter(character)] as const)
      .filter(([code, rough]) => rough !== String.fromCodePoint(code)),
  ))

/** Returns what a text looks like, in lower case; texts that look alike give the same result. */
export function roughText(text: string): string {
  const changed = changesOf()
  const plain = normalForm(text.toLowerCase().replace(ignorable, ''), 'NFD')
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
  return normalForm(rough + plain.slice(from), 'NFD')
}
