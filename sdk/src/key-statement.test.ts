import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isContractProof, keyStatementText, parseContractProof, writeContractProof } from './key-statement.ts'

const key = 'pOCSkrZRwni5dyxWn1-puxPZBrRqtoyd-dwrRAn4ogk'
const at = { host: 'chat.example', address: '0x5d5c99edf529335160ff180fa141dd4967fc00d2' }

test('a proof is read as it was written, and no other spelling of it', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
      fc.integer({ min: 1, max: 999_999_999 }),
      fc.uint8Array({ maxLength: 100 }),
      (chainId, number, bytes) => {
        const proof = { chainId, number, signature: `0x${Buffer.from(bytes).toString('hex')}` } as const
        const written = writeContractProof(proof)
        expect(parseContractProof(written)).toEqual(proof)
        expect(isContractProof(written)).toBe(true)
      },
    ),
  )
  for (const other of [
    '',
    'parley-proof-1.AAAA',
    'parley-contract-1.1.1',
    'parley-contract-1.0.1.q80',
    'parley-contract-1.01.1.q80',
    'parley-contract-1.1.0.q80',
    'parley-contract-1.9007199254740992.1.q80',
    'parley-contract-1.1.1.q81',
    'parley-contract-1.1.1.q80=',
    'parley-contract-1.1.1.q80\n',
    'parley-contract-2.1.1.q80',
  ])
    expect([other, parseContractProof(other)]).toEqual([other, undefined])
})

test('the text names the host, the wallet, the chain and the number, and a proof is for no other number', () => {
  const text = (claim: string, number = 3) => keyStatementText({ ...at, claim }, { chainId: 8453, number })
  const on = text(`on 3 ${key}`)
  expect(on?.split('\n')).toEqual([
    'My encryption key on chat.example.',
    '',
    'Service: chat.example',
    `Wallet: ${at.address}`,
    'Chain ID: 8453',
    `Encryption: on 3 ${key}`,
    '',
    expect.stringContaining('Sign this only when you use Parley at chat.example'),
  ])
  // The statement that encryption is on proves the key.
  expect(text(key)).toBe(on)
  expect(text('off 3')).toContain('\nEncryption: off 3\n')
  for (const other of [
    `on 2 ${key}`,
    'off 2',
    `${key}A`,
    `on 3 ${key} `,
    `on 03 ${key}`,
    'on 3 ',
    'off',
    '',
    `x\non 3 ${key}`,
  ])
    expect([other, text(other)]).toEqual([other, undefined])
})
