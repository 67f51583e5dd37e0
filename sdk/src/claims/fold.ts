// Words compare by what a person reads: without case, marks, punctuation and invisible characters, and with letters of any script
// and digits as the letters of ASCII that they look like.

import { normalForm } from '../normal-form.ts'
import { asciiOf } from './letters.ts'

const digits: Readonly<Record<string, string>> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't' }
const symbols: Readonly<Record<string, string>> = { '@': 'a', $: 's', '€': 'e', '!': 'i', '|': 'i', '+': 't' }

/** Returns a text in lower case, in letters of ASCII where its characters look like them. */
const plain = (text: string): string =>
  Array.from(
    normalForm(text, 'NFKD')
      .replace(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, '')
      .toLowerCase(),
    (character) => asciiOf.get(character) ?? character,
  ).join('')

/** Writes letters that look alike as one. */
const even = (text: string): string =>
  text
    .replace(/[013457]/g, (digit) => digits[digit]!)
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .replaceAll('l', 'i')

/** Returns the words of a text. Letters that stand apart, as in `s u p p o r t`, are one word. */
function wordsOf(text: string): string[] {
  const words: string[] = []
  let apart = ''
  for (const word of [...text.split(/[^\p{L}\p{N}]+/u), '']) {
    if (word !== '' && Array.from(word).length === 1) {
      apart += word
      continue
    }
    if (apart) words.push(apart)
    apart = ''
    if (word) words.push(word)
  }
  return words
}

/** Digits behind a word, and several before it, decorate it, as in `support24`: what they enclose may have digits as letters. */
const around = /(?<![\p{L}\p{N}])\p{N}{2,}(?=\p{L})|(?<=\p{L})\p{N}+(?![\p{L}\p{N}])/gu

/**
 * Returns the words that a text may be read as: with symbols as decoration or as letters, and with digits as letters or as
 * decoration.
 */
export function readings(text: string): string[][] {
  const lower = plain(text)
  const asLetters = lower.replace(/[@$€!|+]/g, (symbol) => symbols[symbol]!)
  const withoutDigits = lower.replace(/\p{N}+/gu, ' ')
  const inside = asLetters.replace(around, ' ')
  return [...new Set([lower, asLetters, withoutDigits, inside])].map((form) => wordsOf(form).map(even))
}

/** Returns a phrase of a list in the form of the readings. */
export const folded = (phrase: string): string[] => wordsOf(plain(phrase)).map(even)
