import { expect, test } from 'vitest'
import { knownEmoji } from '../../testing/cases/known-emoji.ts'
import { hasUnseen, trimUnseen, unseenIn, unseenProblem, withoutUnseen } from './unseen.ts'

const codesOf = (text: string) =>
  unseenIn(text).map(({ character }) => character.codePointAt(0)!.toString(16))

test.each([
  'Alice ❤️',
  'Fam 👨‍👩‍👧',
  'می‌خواهم',
  '🚴‍♂️.eth',
  '🚴‍♂.eth',
  '1️⃣',
  '⭐️',
  '☎︎',
  '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  '🏳️‍🌈',
  '🕵🏻‍♂',
  'क्‍ष',
  'ශ්‍රී',
  'two\r\n\tlines',
  '۱۲٪ \u0600',
])('%s has nothing that is not seen', (text) => {
  expect(unseenIn(text)).toEqual([])
  expect(withoutUnseen(text)).toBe(text)
  expect(trimUnseen(text)).toBe(text)
  expect(unseenProblem(text)).toBeUndefined()
})

test('every emoji that Unicode recommends stays as it is, alone, beside letters and beside another', () => {
  const all = knownEmoji()
  expect(all.length).toBeGreaterThan(3_900)
  const texts = all.flatMap((one, n) => [one, `a${one}b`, one + all[(n * 7) % all.length]!])
  expect(texts.filter(hasUnseen)).toEqual([])
  expect(texts.filter((text) => withoutUnseen(text) !== text || trimUnseen(text) !== text)).toEqual([])
})

test.each([
  ['a joiner between Latin letters', 'a\u200cb', ['200c']],
  ['two joiners', 'می\u200c\u200cخ', ['200c', '200c']],
  ['a joiner at an end', 'می\u200c', ['200c']],
  ['a joiner at the beginning', '\u200dمی', ['200d']],
  ['a joiner alone', '\u200d', ['200d']],
  ['a joiner in no emoji that is known', '😀\u200d😀', ['200d']],
  ['two selectors', '❤\ufe0f\ufe0f', ['fe0f']],
  ['a selector behind a letter', 'a\ufe0f', ['fe0f']],
  ['a selector behind a digit', '1\ufe0f', ['fe0f']],
  ['tags behind a letter', 'a\u{e0062}', ['e0062']],
  ['tags of no flag', '🏴\u{e0061}\u{e007f}', ['e0061', 'e007f']],
  ['marks of direction', '\u202eadmin\u2066\u200f', ['202e', '2066', '200f']],
  ['controls', 'a\0\x1b', ['0', '1b']],
  ['a filler and a blank of Braille', 'ㅤ⠀', ['3164', '2800']],
  ['a selector of the supplement', 'a\u{e0100}', ['e0100']],
])('%s is found', (_, text, codes) => {
  expect(codesOf(text)).toEqual(codes)
  expect(hasUnseen(withoutUnseen(text))).toBe(false)
})

test('a problem names the first one and where it stands', () =>
  expect(unseenProblem('ok\u200b\u{e0041}')).toBe('it has the invisible character U+200B at position 2'))

test('the ends of a text are freed of them, and not what is within', () => {
  expect(trimUnseen('\u200b \u200e ❤️ \u200b')).toBe('❤️')
  expect(trimUnseen('\u200ba\u200bb\u200d')).toBe('a\u200bb')
  expect(trimUnseen('🚴‍♂️.eth\u2069')).toBe('🚴‍♂️.eth')
  for (const empty of ['', ' ', '\u200b', ' \u200b \u200b ']) expect(trimUnseen(empty)).toBe('')
})

test('the worst texts of 64 KiB take some hundredths of a second', () => {
  const fill = (part: string) => part.repeat((64 * 1024) / new TextEncoder().encode(part).length)
  const texts = [
    ...[
      'a',
      '1',
      '\u200b',
      ' \u200b',
      'a\u200b',
      '😀',
      '😀\u200d',
      '👨‍👩‍👧',
      'می‌خواهم ',
      'ب\u0301\u0301\u0301\u0301\u200c',
    ].map(fill),
    `🏴${'\u{e0041}'.repeat(16_000)}`,
    `ب${'\u0301'.repeat(32_000)}\u200c`,
  ]
  for (const text of texts) {
    const took = Array.from({ length: 3 }, () => {
      const begin = performance.now()
      withoutUnseen(text)
      trimUnseen(text)
      return performance.now() - begin
    })
    expect(Math.min(...took), JSON.stringify(text.slice(0, 8))).toBeLessThan(100)
  }
})
