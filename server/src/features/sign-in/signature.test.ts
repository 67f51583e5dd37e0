import * as fc from 'fast-check'
import {
  concatHex,
  hashMessage,
  serializeCompactSignature,
  serializeSignature,
  signatureToCompactSignature,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount, sign } from 'viem/accounts'
import { expect, test } from 'vitest'
import { verifySignature } from './signature.ts'

const wallet = privateKeyToAccount(`0x${'1'.repeat(64)}`)
const address = wallet.address.toLowerCase()
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

const verify = (text: string, signature: string, of = address) =>
  verifySignature({ rpcUrls: {} }, { address: of, text, signature, chainId: 1 })

const bytes32 = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}` as const

test('a wallet signs any text, in 65 bytes and in the 64 of EIP-2098', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (text) => {
      const signature = await sign({ hash: hashMessage(text), privateKey: `0x${'1'.repeat(64)}` })
      const long = serializeSignature(signature)
      expect(await verify(text, long)).toBe(true)
      expect(await verify(text, `${long.slice(0, -2)}${signature.v === 27n ? '00' : '01'}`)).toBe(true)
      expect(await verify(text, serializeCompactSignature(signatureToCompactSignature(signature)))).toBe(true)
      expect(await verify(`${text}.`, long)).toBe(false)
    }),
    { numRuns: 20 },
  )
})

test('a signature of another wallet is refused', async () => {
  const other = privateKeyToAccount(generatePrivateKey())
  expect(await verify('gm', await other.signMessage({ message: 'gm' }))).toBe(false)
  expect(await verify('gm', await other.signMessage({ message: 'gm' }), other.address.toLowerCase())).toBe(
    true,
  )
})

test('a signature that is none is refused, not a failure', async () => {
  const good = await wallet.signMessage({ message: 'gm' })
  const rs = good.slice(0, 130)
  const unreadable = [
    '',
    '0x',
    'gm',
    good.slice(2),
    `0X${good.slice(2)}`,
    `${good}0`,
    `${good} `,
    `\n${good}`,
    `${rs}zz`,
  ]
  const longOrShort = [
    `${good}00`,
    good.slice(0, -1),
    `${rs}1b1b`,
    `0x${'00'.repeat(8192)}`,
    `0x${'6492'.repeat(16)}`,
  ]
  const recovery = [`${rs}02`, `${rs}1d`, `${rs}1f`, `${rs}ff`]
  const numbers = [
    [0n, 0n],
    [order, 1n],
    [1n, order],
    [5n, 1n],
  ] as const // no x of the curve is 5
  const outOfRange = numbers.map(([r, s]) => concatHex([bytes32(r), bytes32(s), '0x1b']))
  const bad = [...unreadable, ...longOrShort, ...recovery, ...outOfRange, `0x${'f'.repeat(130)}`]
  for (const signature of bad) expect([signature, await verify('gm', signature)]).toEqual([signature, false])
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.string({ unit: 'binary' }), fc.uint8Array({ maxLength: 70 })),
      async (junk) => {
        const signature = typeof junk === 'string' ? junk : `0x${Buffer.from(junk).toString('hex')}`
        expect(await verify('gm', signature)).toBe(false)
      },
    ),
  )
})

test('many signatures at once leave the thread that serves everybody free', async () => {
  const signature = await wallet.signMessage({ message: 'gm' })
  const many = async () => {
    const proven = await Promise.all(Array.from({ length: 1000 }, () => verify('gm', signature)))
    expect(new Set(proven)).toEqual(new Set([true]))
  }
  await many()
  const [all, ours] = [process.cpuUsage(), process.threadCpuUsage()]
  await many()
  expect(process.threadCpuUsage(ours).user).toBeLessThan(process.cpuUsage(all).user / 2)
})

test('any one byte of a signature changed is refused', async () => {
  const good = Buffer.from((await wallet.signMessage({ message: 'gm' })).slice(2), 'hex')
  for (const at of good.keys()) {
    const changed = Buffer.from(good)
    changed[at]! ^= 0x01
    expect([at, await verify('gm', `0x${changed.toString('hex')}`)]).toEqual([at, false])
  }
})
