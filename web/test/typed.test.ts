import { expect, test } from 'vitest'
import { readTyped } from '../src/names/typed-text.ts'
import { looksAlike } from '../src/seal/address.ts'

const origin = 'https://chat.example'
const wallet = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const other = '0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb'
const solana = '7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs'

test.each([
  [wallet, wallet],
  [`  ${wallet}\n`, wallet],
  [`\u200b${wallet}\u200e`, wallet],
  [wallet.slice(2), wallet],
  [wallet.replace('0x', '0X'), wallet],
  [`https://chat.example/dm/${wallet}`, wallet],
  [`https://chat.example/dm/${wallet}?nft=1#x`, wallet],
  [`https://etherscan.io/address/${wallet}#tokentxns`, wallet],
  [`ethereum:${wallet}`, wallet],
  [`ethereum:${wallet}@1`, wallet],
  [`ethereum:pay-${wallet}@137?value=2.014e18`, wallet],
  [`ethereum:${other}@1/transfer?address=${wallet}&uint256=1`, wallet],
  [`eip155:1:${wallet}`, wallet],
  [`did:pkh:eip155:1:${wallet}`, wallet],
  [`eth:${wallet}`, wallet],
  [`base:${wallet}`, wallet],
  [`ARB1:${wallet}`, wallet],
  [`\u2066eth:${wallet}\u2069`, wallet],
  [solana, solana],
  [`solana:${solana}`, solana],
  [`solana:${solana}?amount=1`, solana],
  [`solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp:${solana}`, solana],
  [`did:pkh:solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp:${solana}`, solana],
  [`https://explorer.solana.com/address/${solana}?cluster=mainnet`, solana],
  [`https://chat.example/dm/${solana}`, solana],
])('%s is an address', (text, address) => expect(readTyped(text, origin)).toEqual({ address }))

test.each([
  ['alice', 'alice'],
  ['🚴‍♂️.eth', '🚴‍♂️.eth'],
  ['\u200b🚴‍♂.eth\u2069 ', '🚴‍♂.eth'],
  ['می‌خواهم', 'می‌خواهم'],
  ['vita\u200blik.eth', 'vita\u200blik.eth'],
  ['@alice', 'alice'],
  ['vitalik.eth', 'vitalik.eth'],
  ['ethereum:vitalik.eth@1', 'vitalik.eth'],
  ['https://chat.example/dm/alice', 'alice'],
  ['https://chat.example/dm/Anna%20B.', 'Anna B.'],
  ['Anna B.', 'Anna B.'],
])('%s is a name', (text, name) => expect(readTyped(text, origin)).toEqual({ name }))

test.each([
  ['https://chat.example/c/gallery', '/c/gallery'],
  [`https://chat.example/nft/${other}/721`, `/nft/${other}/721`],
])('%s is a page of this service', (text, path) => expect(readTyped(text, origin)).toEqual({ path }))

test.each([
  [wallet.slice(0, -1), /this has 39/],
  [`${wallet}0`, /this has 41/],
  [`eth:${wallet.slice(0, -1)}`, /this has 39/],
  ['XE7338O073KYGTWWZN0F2WZ0R8PX5ZPPZS', /ICAP/],
  ['iban:XE7338O073KYGTWWZN0F2WZ0R8PX5ZPPZS', /ICAP/],
  ['XE81ETHXREGGAVOFYORK', /ICAP/],
  ['https://example.org/nobody', /no wallet in this link/],
  [`https://example.org/${wallet}/${other}`, /no wallet in this link/],
  ['https://chat.example/settings', /no wallet in this link/],
  // A signature, which begins as an address could.
  [`https://explorer.solana.com/tx/${solana}${solana}`, /no wallet in this link/],
])('%s is nothing, and it is said why', (text, problem) =>
  expect(readTyped(text, origin)).toEqual({ problem: expect.stringMatching(problem) }),
)

test('addresses look alike when they differ, but not at their ends', () => {
  const like = `0xd8da${'1'.repeat(32)}6045`
  expect(looksAlike(wallet, like)).toBe(true)
  expect(looksAlike(wallet, wallet.toLowerCase())).toBe(false)
  expect(looksAlike(wallet, other)).toBe(false)
  expect(looksAlike(solana, `7eYn${'x'.repeat(36)}aWmS`)).toBe(true)
  expect(looksAlike(solana, `7EYm${solana.slice(4)}`)).toBe(false)
})
