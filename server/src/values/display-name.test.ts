import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Name, parseName, parseSlug } from './display-name.ts'
import { isAddress } from './formats.ts'
import { foldName } from './skeleton.ts'

const parse = (text: string): Name => {
  const name = parseName(text)
  if ('problem' in name) throw new Error(`${text}: ${name.problem}`)
  return name
}
const alike = (one: string, other: string) => {
  const { skeletons } = parse(one)
  return parse(other).skeletons.some((skeleton) => skeletons.includes(skeleton))
}

test.each([
  'vitalik',
  'Ünïcødé',
  '李小龍',
  'Νίκος',
  'Bored Apes',
  'j',
  '0xBeef',
  'ox',
  'a'.repeat(64),
  'محمد',
  'Alice ❤️',
  'Fam 👨‍👩‍👧',
  'می‌خواهم',
  'क्‍ष',
])('%s is a name', (text) => expect(parse(text).name).toBe(text))

test('a name is kept in NFC, and its length is counted there', () => {
  expect(parse('e\u0301').name).toBe('é')
  expect(parse('e\u0301'.repeat(64)).name).toHaveLength(64)
})

test.each([
  ['nothing', ''],
  ['65 characters', '𝔞'.repeat(65)],
  ['a zero-width space', 'vita\u200blik'],
  ['a zero-width joiner', 'vita\u200dlik'],
  ['a joiner of words between Latin letters', 'vita\u200clik'],
  ['a doubled joiner', 'می\u200c\u200cخواهم'],
  ['a joiner at the end', 'می\u200c'],
  ['a joiner at the beginning', '\u200cمی'],
  ['a joiner alone', '\u200d'],
  ['two selectors', '❤\ufe0f\ufe0f'],
  ['a number sign without a number', 'a\u0600'],
  ['a soft hyphen', 'vita\u00adlik'],
  ['a right-to-left override', '\u202eadmin'],
  ['an isolate', 'a\u2066b'],
  ['a line break', 'a\nb'],
  ['NUL', 'a\0b'],
  ['a delete character', 'a\x7f'],
  ['a Hangul filler', '\u3164'],
  ['a combining grapheme joiner', 'a\u034fb'],
  ['a variation selector', 'a\ufe0f'],
  ['a tag', 'a\u{e0041}'],
  ['a braille blank', '\u2800'],
  ['private use', 'a\ue000'],
  ['a lone surrogate', 'a\ud800'],
  ['a no-break space', 'a\u00a0b'],
  ['a space at the end', 'a '],
  ['two spaces', 'a  b'],
  ['a lone mark', '\u0301a'],
])('%s is not in a name', (_, text) =>
  expect(parseName(text)).toEqual({ problem: expect.stringMatching(/^must /) }),
)

test.each([
  '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
  '0XD8DA6BF26964AF9D7EED9E03E53415D37AA96045',
  'me 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
  '0xd8dA…6045',
  '0xd8dA...6045',
  'Οхd8dA…6045',
  'oxd8dA6BF2',
  '7EqQdEULxWcraVx3mXKFjc84LhCkMGZCkRuDpvcMwJeK',
  'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
])('%s has the shape of an address', (text) =>
  expect(parseName(text)).toEqual({ problem: expect.stringContaining('address') }),
)

test.each([
  'admin',
  'Root',
  'SYSTEM',
  'support',
  'parley',
  'Pаrley',
  'ρarley',
  'adm1n',
  'аdmin',
  'a.d.m.i.n',
  '_admin_',
  'ＡＤＭＩＮ',
  'rnoderator',
  // The web client shows these words in place of a name.
  'You',
  'You ♥',
  'Note to self',
  'Notes to yourself',
  'Encrypted message',
  'Today',
  'Yesterday',
])('%s is reserved', (text) =>
  expect(parseName(text)).toEqual({ problem: expect.stringContaining('reserved') }),
)

test.each([
  ['vitalik', 'Vitalik'],
  ['vitalik', 'VITALIK'],
  ['vitalik', 'vitaIik'],
  ['vitalik', 'vita1ik'],
  ['vitalik', 'VlTALIK'],
  ['vitalik', 'vitаlik'],
  ['vitalik', '𝓋𝒾𝓉𝒶𝓁𝒾𝓀'],
  ['vitalik', 'ｖitalik'],
  ['modern', 'rnodern'],
  ['bob', 'b0b'],
  ['bob', 'BОB'],
  ['Νίκος', 'ΝΊΚΟΣ'],
  ['é', 'e\u0301'],
  ['strasse', 'STRAßE'],
  ['Alice ❤️', 'Alice ❤'],
  ['Fam 👨‍👩‍👧', 'Fam 👨👩👧'],
  ['می‌خواهم', 'میخواهم'],
])('%s and %s are alike', (one, other) =>
  expect([alike(one, other), alike(other, one)]).toEqual([true, true]),
)

test.each([
  ['nick', 'vick'],
  ['vitalik', 'vitalin'],
  ['anna', 'hanna'],
  ['alice', 'alise'],
  ['李小龍', '李小尨'],
])('%s and %s are not alike', (one, other) => expect(alike(one, other)).toBe(false))

test.each([
  'vitalik.eth',
  'Vitalik.ETH',
  'vitalik.еth',
  'vitalik․eth',
  'vitalik。eth',
  'vitalik．ｅｔｈ',
  'vitalik.eth!',
  'pay.vitalik.eth',
  'toly.sol',
  'x.nft',
  '🚴‍♂.eth',
  '🚴‍♂️.eth',
])('%s is a name of a chain', (text) => expect(parse(text).onChain).toBe(true))
test.each(['vitalik', 'ethan', 'a.ethan', 'eth', 'dot.comma'])('%s is none of a chain', (text) =>
  expect(parse(text).onChain).toBe(false),
)

test('a community has emoji and letters that do not join in its name', () => {
  for (const slug of ['Fam👨‍👩‍👧', 'می‌خواهم'])
    expect([isAddress(slug), parseSlug(slug)]).toEqual([true, { skeletons: expect.any(Array) }])
  for (const slug of ['a\u200db', 'می\u200c', '\u200d', `${'a'.repeat(127)}👨‍👩‍👧`])
    expect(isAddress(slug)).toBe(false)
})

test.each(['a/b', 'a\\b', 'a?b', 'a#b', 'a%2Fb'])('%s names no community: a link could not hold it', (slug) =>
  expect(parseSlug(slug)).toEqual({ problem: expect.stringContaining('links') }),
)

describe('for every text', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 })

  test('a name is alike to itself in any case and normal form', () => {
    fc.assert(
      fc.property(text, (raw) => {
        const name = parseName(raw)
        fc.pre(!('problem' in name))
        for (const form of ['NFC', 'NFD'] as const)
          for (const look of [raw, raw.toLowerCase(), raw.toUpperCase()]) {
            const other = parseName(look.normalize(form))
            if (!('problem' in other))
              expect(
                other.skeletons.some((skeleton) => name.skeletons.includes(skeleton)),
                look,
              ).toBe(true)
          }
      }),
      { numRuns: 2000 },
    )
  })

  test('a name that is kept parses to itself, and its skeletons fit an index', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 70 }), (raw) => {
        const name = parseName(raw)
        if ('problem' in name) return
        expect(parseName(name.name)).toEqual(name)
        expect(foldName(name.folded)).toBe(name.folded)
        for (const skeleton of name.skeletons) expect(Buffer.byteLength(skeleton)).toBeLessThan(2600)
      }),
      { numRuns: 2000 },
    )
    const longest = parse('\ufdfa'.repeat(64)).skeletons
    expect(Math.max(...longest.map((skeleton) => Buffer.byteLength(skeleton)))).toBeLessThan(2600)
  })
})
