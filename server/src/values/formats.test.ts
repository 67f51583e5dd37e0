import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  canonicalAddress,
  isAddress,
  isPrintable,
  isText,
  otherSpelling,
  parseTime,
  refusedCharacter,
} from './formats.ts'

test('a time is the same instant in every way of writing it', () => {
  fc.assert(
    fc.property(fc.date({ min: new Date(0), max: new Date('9999-01-01'), noInvalidDate: true }), (date) => {
      const iso = date.toISOString()
      for (const text of [
        iso,
        `$${iso}`,
        iso.slice(0, -1),
        iso.toLowerCase(),
        iso.replace('Z', '+00:00'),
        String(date.getTime()),
      ])
        expect(parseTime(text), text).toBe(date.getTime())
    }),
  )
  expect(parseTime('2026-11-20T20:30:00+02:00')).toBe(Date.parse('2026-11-20T18:30:00Z'))
  expect(parseTime('2026-11-20T18:30:00')).toBe(Date.parse('2026-11-20T18:30:00Z'))
})

test.each([
  '',
  '$',
  'now',
  '2026-11-20',
  '2026-02-29T00:00:00Z',
  '2026-11-20T24:00:00Z',
  '2026-11-20T18:30:00+99',
  '1e3',
  '-1',
  '0x10',
  '9'.repeat(16),
])('%j is no time', (text) => expect(parseTime(text)).toBeUndefined())

test('canonical addresses stay what they are', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      (text) => canonicalAddress(canonicalAddress(text)) === canonicalAddress(text),
    ),
  )
  expect(canonicalAddress(`0X${'A'.repeat(40)}`)).toBe(`0x${'a'.repeat(40)}`)
  expect(canonicalAddress('7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV')).toBe(
    '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV',
  )
})

test('an address of Ethereum in another usual spelling is none, and it is said what to send', () => {
  const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
  for (const before of [
    'eth:',
    'base:',
    'ARB1:',
    'eip155:1:',
    'did:pkh:eip155:137:',
    'ethereum:',
    'ethereum:pay-',
  ])
    for (const after of ['', '@1', '/transfer'])
      expect([isAddress(before + address + after), otherSpelling(before + address + after)]).toEqual([
        false,
        expect.stringContaining(`send ${address} alone`),
      ])
  for (const spelling of [address.slice(2), `xdc${address.slice(2)}`])
    expect([isAddress(spelling), otherSpelling(spelling)]).toEqual([false, expect.stringContaining(address)])
  const solana = '7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs'
  for (const before of ['solana:', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp:', 'did:pkh:solana:mainnet:'])
    expect([isAddress(before + solana), otherSpelling(before + solana)]).toEqual([
      false,
      expect.stringContaining(`send ${solana} alone`),
    ])
  const icap = 'XE7338O073KYGTWWZN0F2WZ0R8PX5ZPPZS'
  for (const spelling of [icap, icap.toLowerCase(), `iban:${icap}`, 'XE81ETHXREGGAVOFYORK'])
    expect([isAddress(spelling), otherSpelling(spelling)]).toEqual([false, expect.stringContaining('ICAP')])
  for (const good of [
    address,
    address.toLowerCase(),
    'Xe12LmnoPqrStuvWxyZabcdefGhJkmNpQr',
    `starknet:0x${'a'.repeat(64)}`,
    'cosmos:cosmoshub-3:cosmos1t2uflqwqe0fsj0shcfkrvpukewcw40yjj6hdc0',
    'gardeners',
    solana,
    'eth:',
    'XE',
  ])
    expect([good, otherSpelling(good), isAddress(good)]).toEqual([good, undefined, true])
  for (const token of [address.slice(2), `eip155:1:${address}`]) expect(isPrintable(token)).toBe(true)
})

test('addresses are printable and without white space; texts have no control characters', () => {
  for (const bad of ['', ' ', 'a b', 'a\u200b', 'a\u202e', '\u0000', 'x'.repeat(129), 'a\u00a0', '\ud800'])
    expect(isAddress(bad)).toBe(false)
  for (const good of ['a', 'poap_1', 'ünïcode', '🦊', 'x'.repeat(128)]) expect(isAddress(good)).toBe(true)
  for (let code = 0; code < 0x20; code++) {
    const text = `a${String.fromCharCode(code)}🦊`
    expect([code, isText(text)]).toEqual([code, '\t\n\r'.includes(text[1]!)])
  }
  expect(isText('\udc00')).toBe(false)
  expect(isText('🦊\x7f\x80\u2028\u200d')).toBe(true)
  expect(refusedCharacter('a\x0bb\0')).toBe('control character U+000B')
  expect(refusedCharacter('🦊\ud83e')).toBe('lone surrogate U+D83E')
  expect(refusedCharacter('🦊\n')).toBeUndefined()
})
