import fc from 'fast-check'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, expect, test, vi } from 'vitest'
import { newSolanaWallet } from '../../testing/people/solana-wallet.ts'
import { fromBase64, toBase64 } from '../src/keys/crypto/bytes.ts'
import { claimOf } from '../src/keys/crypto/claim.ts'
import { canonicalSignature, hasSigned, proveKey } from '../src/keys/crypto/ed25519-proof.ts'
import { loadProofs } from '../src/keys/crypto/proofs.ts'
import { unlockText } from '../src/keys/crypto/unlock-text.ts'

const host = 'chat.example'
const prefix = 'parley-proof-2.'

afterAll(() => vi.unstubAllGlobals())

const inHex = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString('hex')}`

/** A wallet with its signature of the one text. */
async function newSigner() {
  const wallet = newSolanaWallet()
  const { address } = wallet
  const bytes = wallet.sign(Buffer.from(unlockText(host, address)))
  return { wallet, address, bytes, signature: await canonicalSignature(inHex(bytes), { host, address }) }
}

test('a wallet’s one signature proves any number of keys, and the proof shows nothing of it', async () => {
  const { address, bytes, signature } = await newSigner()
  expect(signature).toBe(toBase64(bytes))
  const [r, s] = [inHex(bytes.subarray(0, 32)).slice(2), inHex(bytes.subarray(32)).slice(2)]
  for (const key of ['first', 'second']) {
    const proof = await proveKey({ host, address, key }, signature)
    expect(await hasSigned(host, address, { key, sig: proof })).toBe(true)
    const shown = Buffer.from(fromBase64(proof.slice(prefix.length))).toString('hex')
    // R is public, S is not.
    expect(shown.slice(0, 64)).toBe(r)
    expect(shown).not.toContain(s)
    // Proofs differ, so none has the nonce of another.
    expect(await proveKey({ host, address, key }, signature)).not.toBe(proof)
  }
})

test('a proof holds for its host, wallet and key alone', async () => {
  const { address, signature } = await newSigner()
  const other = await newSigner()
  const proof = await proveKey({ host, address, key: 'key' }, signature)
  expect(await hasSigned('other.example', address, { key: 'key', sig: proof })).toBe(false)
  expect(await hasSigned(host, other.address, { key: 'key', sig: proof })).toBe(false)
  expect(await hasSigned(host, address, { key: 'other', sig: proof })).toBe(false)
  // The signature of another wallet proves nothing.
  await expect(proveKey({ host, address, key: 'key' }, other.signature)).rejects.toThrow('another text')
})

test('a proof that is changed in any byte is refused, and so is anything that is none', async () => {
  const { address, bytes: signed, signature } = await newSigner()
  const bytes = fromBase64((await proveKey({ host, address, key: 'key' }, signature)).slice(prefix.length))
  const isTaken = (sig: string) => hasSigned(host, address, { key: 'key', sig })
  for (let index = 0; index < bytes.length; index++)
    for (const bit of [1, 128]) {
      const changed = bytes.slice()
      changed[index]! ^= bit
      expect(await isTaken(prefix + toBase64(changed)), `${index}`).toBe(false)
    }
  expect(await isTaken(prefix + toBase64(bytes))).toBe(true)
  for (const sig of [
    '',
    '0x',
    prefix,
    `${prefix}AA`,
    toBase64(bytes),
    signature,
    prefix + signature,
    inHex(signed),
    prefix + toBase64(new Uint8Array(96)),
    `${prefix}${toBase64(bytes)}=`,
  ])
    expect(await isTaken(sig), sig).toBe(false)
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ minLength: 96, maxLength: 96 }), async (noise) => {
      expect(await isTaken(prefix + toBase64(noise))).toBe(false)
    }),
    { numRuns: 50 },
  )
})

test('a signature that is not of the text as it is proves nothing, so it is refused before a key is made', async () => {
  const { wallet, address, bytes } = await newSigner()
  const place = { host, address }
  const text = Buffer.from(unlockText(host, address))
  const ledger = Buffer.from('\xffsolana offchain', 'latin1')
  const envelopes = [
    Buffer.concat([ledger, Buffer.of(1, 1), wallet.key, text]),
    Buffer.concat([
      ledger,
      Buffer.alloc(34),
      Buffer.of(1),
      wallet.key,
      Buffer.of(text.length & 255, 1),
      text,
    ]),
  ]
  for (const signed of [...envelopes, Buffer.from('free text'), Buffer.concat([text, Buffer.of(10)])])
    await expect(canonicalSignature(inHex(wallet.sign(signed)), place)).rejects.toThrow('another text')
  for (let index = 0; index < bytes.length; index++) {
    const changed = Uint8Array.from(bytes)
    changed[index]! ^= 1
    await expect(canonicalSignature(inHex(changed), place), `${index}`).rejects.toThrow()
  }
  const order = 2n ** 252n + 27742317777372353535851937790883648493n
  const s = BigInt(inHex(bytes.subarray(32).toReversed())) + order
  const more = Buffer.from(s.toString(16).padStart(64, '0'), 'hex').toReversed()
  const second = inHex(Buffer.concat([bytes.subarray(0, 32), more]))
  for (const bad of [
    '',
    '0x',
    inHex(bytes).slice(0, -2),
    `${inHex(bytes)}00`,
    second,
    inHex(Buffer.alloc(64)),
  ])
    await expect(canonicalSignature(bad, place), bad).rejects.toThrow()
  expect(await canonicalSignature(inHex(bytes).toUpperCase().replace('0X', '0x'), place)).toBe(
    toBase64(bytes),
  )
})

test('a statement of on or off holds for its number, its key and its wallet alone', async () => {
  const { address, signature } = await newSigner()
  const prove = (count: number, key: string) =>
    proveKey({ host, address, key: claimOf(count, key) }, signature)
  const holds = (count: number, key: string, sig: string) =>
    hasSigned(host, address, { key: claimOf(count, key), sig })
  const [on, off, plain] = [await prove(2, 'K'), await prove(3, ''), await prove(0, 'K')]
  expect([await holds(2, 'K', on), await holds(3, '', off), await holds(0, 'K', plain)]).toEqual([
    true,
    true,
    true,
  ])
  for (const [count, key, sig] of [
    [3, 'K', on],
    [2, 'L', on],
    [2, '', on],
    [0, 'K', on],
    [4, '', off],
    [3, 'K', off],
    [1, 'K', plain],
  ] as const)
    expect(await holds(count, key, sig), `${count} ${key}`).toBe(false)
})

test('the address decides how a proof is verified: one of another kind of wallet, or of a contract, is refused', async () => {
  const { address, signature } = await newSigner()
  const sig = await proveKey({ host, address, key: 'key' }, signature)
  const account = privateKeyToAccount(generatePrivateKey())
  const evm = account.address.toLowerCase()
  const ofEvm = await loadProofs(evm)
  const theirs = await ofEvm.proveKey(
    { host, address: evm, key: 'key' },
    await account.signMessage({ message: unlockText(host, evm) }),
  )
  const ofSolana = await loadProofs(address)
  expect(await ofSolana.hasSigned(host, address, { key: 'key', sig })).toBe(true)
  expect(await ofEvm.hasSigned(host, evm, { key: 'key', sig: theirs })).toBe(true)
  expect(await ofSolana.hasSigned(host, address, { key: 'key', sig: theirs })).toBe(false)
  expect(await ofEvm.hasSigned(host, evm, { key: 'key', sig })).toBe(false)
  // No service is asked whether a contract has signed for a key of Ed25519: there is none in this test.
  vi.stubGlobal('document', { querySelector: () => null })
  vi.stubGlobal('location', { host })
  const { isKeyOf } = await import('../src/keys/state/proof.ts')
  expect(await isKeyOf(address, { key: 'key', sig })).toBe(true)
  expect(await isKeyOf(address, { key: 'key', sig: 'parley-contract-1.1.1.q80' })).toBe(false)
})
