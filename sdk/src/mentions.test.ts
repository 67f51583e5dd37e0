import { expect, test } from 'vitest'
import { mentions, mentionsIn } from './mentions.ts'

const alice = { address: '0x52908400098527886e0f7030069857d2e4169ee7', name: 'Alice Müller' }

test.each([
  ['by name', '@Alice Müller are you there?'],
  ['in another case, in the middle', 'well, @alice müller: yes'],
  ['with punctuation behind', '(@Alice Müller)'],
  ['in decomposed letters', `hi @${'Alice Müller'.normalize('NFD')}!`],
  ['by address', `@${alice.address} look`],
  ['by an address with upper case', `ask @0x${alice.address.slice(2).toUpperCase()}.`],
  ['behind another mention', '@bob @Alice Müller'],
])('a wallet is mentioned %s', (_, text) => {
  expect(mentions(text, alice)).toBe(true)
})

test.each([
  ['without a sign', 'Alice Müller'],
  ['by a part of the name', '@Alice'],
  ['by a longer name', '@Alice Müllers'],
  ['in a mail address', 'mail me: someone@Alice Müller'],
  ['by a longer address', `@${alice.address}0`],
  ['with two signs', '@@Alice Müller'],
  ['on two lines', '@Alice\nMüller'],
  ['behind twenty others', `${'@x '.repeat(20)}@Alice Müller`],
  ['far behind', `${'x '.repeat(2048)}@Alice Müller`],
])('a wallet is not mentioned %s', (_, text) => {
  expect(mentions(text, alice)).toBe(false)
})

test('an address of Solana is mentioned as it is: its letters have a case', () => {
  const solana = { address: '7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs' }
  expect(mentionsIn(`hi @${solana.address}!`).addresses).toEqual([solana.address])
  expect(mentions(`@${solana.address}, look`, solana)).toBe(true)
  for (const text of [
    `@${solana.address.toLowerCase()}`,
    `@${solana.address}1`,
    `@${solana.address.slice(1)}1`,
  ])
    expect([text, mentions(text, solana)]).toEqual([text, false])
})

test('a wallet without a name is mentioned by its address alone', () => {
  expect(mentions('@ @\n@', { address: alice.address, name: '' })).toBe(false)
  expect(mentionsIn('@Bob, hi there you all').names).toEqual([
    'bob,',
    'bob',
    'bob, hi',
    'bob, hi there',
    'bob, hi there you',
  ])
})

test('hostile texts take no time', () => {
  const begun = performance.now()
  for (const text of [
    '@'.repeat(65_536),
    '@ '.repeat(32_768),
    `@${'a '.repeat(30_000)}`,
    '@!'.repeat(30_000),
  ])
    mentionsIn(text)
  expect(performance.now() - begun).toBeLessThan(500)
})
