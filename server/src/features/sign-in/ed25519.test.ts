import { ed25519 } from '@noble/curves/ed25519'
import { expect, test } from 'vitest'
import { newSolanaWallet } from '../../../../testing/people/solana-wallet.ts'
import { isSignature } from './ed25519.ts'

const bytes = (hex: string) => Buffer.from(hex, 'hex')

// RFC 8032, section 7.1: tests 1, 2, 3 and SHA(abc).
test.each([
  [
    'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    '',
    'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
  ],
  [
    '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    '72',
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  ],
  [
    'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
    'af82',
    '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
  ],
  [
    'ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf',
    'ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f',
    'dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704',
  ],
])(
  'the vector of RFC 8032 with the key %s holds, and with any byte changed it does not',
  async (key, data, good) => {
    expect(await isSignature(bytes(good), bytes(data), bytes(key))).toBe(true)
    for (const at of bytes(good).keys()) {
      const changed = bytes(good)
      changed[at]! ^= 1
      expect([at, await isSignature(changed, bytes(data), bytes(key))]).toEqual([at, false])
    }
    for (const at of bytes(key).keys()) {
      const changed = bytes(key)
      changed[at]! ^= 1
      expect([at, await isSignature(bytes(good), bytes(data), changed)]).toEqual([at, false])
    }
  },
)

const { ExtendedPoint: Point, CURVE } = ed25519
const littleEndian = (number: bigint) =>
  Buffer.from(Buffer.from(number.toString(16).padStart(64, '0'), 'hex').toReversed())

test('a signature has one spelling: S below the order, points in their canonical form', async () => {
  const wallet = newSolanaWallet()
  const data = Buffer.from('gm')
  const good = Buffer.from(wallet.sign(data))
  expect(await isSignature(good, data, wallet.key)).toBe(true)
  const s = BigInt(`0x${Buffer.from(good.subarray(32).toReversed()).toString('hex')}`)
  const higher = Buffer.concat([good.subarray(0, 32), littleEndian(s + CURVE.n)])
  expect(await isSignature(higher, data, wallet.key)).toBe(false)
  for (const length of [0, 63, 65])
    expect(await isSignature(Buffer.alloc(length, 1), data, wallet.key)).toBe(false)
  expect(await isSignature(good, data, wallet.key.subarray(1))).toBe(false)
})

test('nobody signs with a key of small order, in any spelling of it, although the equation holds', async () => {
  // These eight points, from the one of order 8.
  const eighth = Point.fromHex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a')
  const small = Array.from({ length: 8 }, (_, n) => (n === 0 ? Point.ZERO : eighth.multiply(BigInt(n))))
  expect(new Set(small.map((point) => point.toHex())).size).toBe(8)
  const prime = 2n ** 255n - 19n
  const others = [prime, prime + 1n].flatMap((y) => [littleEndian(y), littleEndian(y + 2n ** 255n)])
  const keys = [
    ...small.map((point) => Buffer.from(point.toRawBytes())),
    ...others,
    littleEndian(1n + 2n ** 255n),
  ]
  // R = S·B makes the equation hold for each message for which k·A is the neutral point: for the neutral key always, for the others
  // for one message in eight at most.
  const s = 5n
  const signature = Buffer.concat([Point.BASE.multiply(s).toRawBytes(), littleEndian(s)])
  for (const key of keys)
    for (let n = 0; n < 24; n++)
      expect([key.toString('hex'), n, await isSignature(signature, Buffer.of(n), key)]).toEqual([
        key.toString('hex'),
        n,
        false,
      ])
  // Its R has small order.
  const zero = Buffer.concat([Point.ZERO.toRawBytes(), littleEndian(0n)])
  expect(await isSignature(zero, Buffer.from('gm'), newSolanaWallet().key)).toBe(false)
})
