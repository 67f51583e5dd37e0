import { base58 } from '@scure/base'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { accountOf, canonicalAddress, isSolanaAddress } from './accounts.ts'

test('an address of Solana is 32 bytes in base58, whatever they are', () => {
  const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
  fc.assert(
    fc.property(bytes(32), fc.nat(32), (some, zeros) => {
      const address = base58.encode(some.map((byte, at) => (at < zeros ? 0 : byte)))
      expect(isSolanaAddress(address)).toBe(true)
      expect(canonicalAddress(address)).toBe(address)
    }),
  )
  fc.assert(
    fc.property(fc.oneof(bytes(31), bytes(33), bytes(25)), (some) => {
      expect(isSolanaAddress(base58.encode(some))).toBe(false)
    }),
  )
  expect(isSolanaAddress('1'.repeat(32))).toBe(true)
})

test.each([
  ['0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', 'Ethereum'],
  ['7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs', 'Solana'],
  ['tz1VSUr8wwNhLAzempoch5d6hLRiTh8Cjcjb', undefined],
  ['bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', undefined],
  ['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', undefined],
  ['7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awM0', undefined],
  [' 7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs', undefined],
  ['alice', undefined],
])('%s is an account of %s', (address, name) => expect(accountOf(address)?.name).toBe(name))
