import fc from 'fast-check'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { fromBase64, toBase64 } from '../src/keys/crypto/bytes.ts'
import { canonicalSignature, hasSigned, isKeyProof, proveKey } from '../src/keys/crypto/key-proof.ts'
import { unlockText } from '../src/keys/crypto/unlock-text.ts'
import { claimOf } from '../src/keys/crypto/claim.ts'

const host = 'chat.example'
const prefix = 'parley-proof-1.'

/** A wallet with its signature of the one text. */
async function newSigner() {
  const account = privateKeyToAccount(generatePrivateKey())
  const address = account.address.toLowerCase()
  return { account, address, signature: await account.signMessage({ message: unlockText(host, address) }) }
}

test('a wallet’s one signature proves any number of keys, and the proof shows nothing of it', async () => {
  const { address, signature } = await newSigner()
  for (const key of ['first', 'second']) {
    const claim = { host, address, key }
    const proof = await proveKey(claim, signature)
    expect(await isKeyProof(claim, proof)).toBe(true)
    expect(await hasSigned(host, address, { key, sig: proof })).toBe(true)
    // r is public, s is not.
    const shown = Buffer.from(fromBase64(proof.slice(prefix.length))).toString('hex')
    expect(shown).toContain(signature.slice(2, 66))
    expect(shown).not.toContain(signature.slice(66, 130))
    // Proofs differ, so none has the nonce of another.
    expect(await proveKey(claim, signature)).not.toBe(proof)
  }
})

test('a proof holds for its host, wallet and key alone', async () => {
  const { address, signature } = await newSigner()
  const other = await newSigner()
  const claim = { host, address, key: 'key' }
  const proof = await proveKey(claim, signature)
  expect(await hasSigned('other.example', address, { key: 'key', sig: proof })).toBe(false)
  expect(await hasSigned(host, other.address, { key: 'key', sig: proof })).toBe(false)
  expect(await hasSigned(host, address, { key: 'other', sig: proof })).toBe(false)
  // The signature of another wallet, or of another text, proves nothing.
  expect(await hasSigned(host, address, { key: 'key', sig: await proveKey(claim, other.signature) })).toBe(
    false,
  )
  const { account } = other
  for (const message of ['free text', unlockText('other.example', other.address)]) {
    const forged = await proveKey(
      { ...claim, address: other.address },
      await account.signMessage({ message }),
    )
    expect(await hasSigned(host, other.address, { key: 'key', sig: forged })).toBe(false)
  }
})

test('a proof that is changed in any byte is refused, and so is anything that is none', async () => {
  const { address, signature } = await newSigner()
  const claim = { host, address, key: 'key' }
  const bytes = fromBase64((await proveKey(claim, signature)).slice(prefix.length))
  for (let index = 0; index < bytes.length; index++) {
    const changed = bytes.slice()
    changed[index]! ^= 1
    expect(await hasSigned(host, address, { key: 'key', sig: prefix + toBase64(changed) }), `${index}`).toBe(
      false,
    )
  }
  for (const sig of [
    '',
    '0x',
    prefix,
    `${prefix}AA`,
    toBase64(bytes),
    signature,
    `${prefix}${toBase64(new Uint8Array(130))}`,
  ])
    expect(await hasSigned(host, address, { key: 'key', sig }), sig).toBe(false)
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ minLength: 130, maxLength: 130 }), async (noise) => {
      expect(await hasSigned(host, address, { key: 'key', sig: prefix + toBase64(noise) })).toBe(false)
    }),
    { numRuns: 50 },
  )
})

test('who knows a proof, and not the signature, cannot make one for another key', async () => {
  const { address, signature } = await newSigner()
  const proof = fromBase64((await proveKey({ host, address, key: 'key' }, signature)).slice(prefix.length))
  // What is public of the signature, with every number in place of the secret one.
  const r = Buffer.from(proof.slice(1, 33)).toString('hex')
  for (const s of [
    '01',
    '02',
    Buffer.from(proof.slice(66, 98)).toString('hex'),
    Buffer.from(proof.slice(98)).toString('hex'),
  ]) {
    const guess = `0x${r}${s.padStart(64, '0')}${proof[0] === 2 ? '1b' : '1c'}`
    const forged = await proveKey({ host, address, key: 'other' }, guess)
    expect(await hasSigned(host, address, { key: 'other', sig: forged })).toBe(false)
  }
})

test('a signature has one spelling, however its wallet writes it', async () => {
  const { address, signature } = await newSigner()
  const [r, s, v] = [signature.slice(2, 66), signature.slice(66, 130), signature.slice(130)]
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const high = (order - BigInt(`0x${s}`)).toString(16).padStart(64, '0')
  const flipped = v === '1b' ? '1c' : '1b'
  for (const spelling of [
    signature,
    `0x${(r + s + v).toUpperCase()}`,
    `0x${r}${s}${v === '1b' ? '00' : '01'}`,
    `0x${r}${high}${flipped}`,
  ]) {
    expect(canonicalSignature(spelling)).toBe(signature)
    const proof = await proveKey({ host, address, key: 'key' }, spelling)
    expect(await hasSigned(host, address, { key: 'key', sig: proof })).toBe(true)
  }
  for (const bad of ['', '0x', signature.slice(0, -2), `${signature}00`, `0x${'0'.repeat(130)}`])
    expect(() => canonicalSignature(bad)).toThrow()
})

test('a plain signature of a text that names the key proves nothing', async () => {
  const { account, address } = await newSigner()
  const sig = await account.signMessage({ message: `This is my encryption key on ${host}: key` })
  expect(await hasSigned(host, address, { key: 'key', sig })).toBe(false)
})

test('a statement of on or off holds for its number, its key and its wallet alone', async () => {
  const { address, signature } = await newSigner()
  const prove = async (count: number, key: string) =>
    `${count}.${await proveKey({ host, address, key: claimOf(count, key) }, signature)}`
  const holds = async (count: number, key: string, published: string, wallet = address) => {
    const [, sig] = /^\d+\.(.*)$/.exec(published)!
    return hasSigned(host, wallet, { key: claimOf(count, key), sig: sig! })
  }
  const [on, off] = [await prove(2, 'K'), await prove(3, '')]
  expect([await holds(2, 'K', on), await holds(3, '', off)]).toEqual([true, true])
  expect([await holds(3, 'K', on), await holds(2, 'L', on), await holds(2, '', on)]).toEqual([
    false,
    false,
    false,
  ])
  expect([await holds(4, '', off), await holds(3, 'K', off)]).toEqual([false, false])
  expect(await holds(3, '', off, (await newSigner()).address)).toBe(false)
  // The proof of a key is no statement, nor the other way round.
  const plain = await proveKey({ host, address, key: 'K' }, signature)
  expect(await holds(1, 'K', `1.${plain}`)).toBe(false)
  expect(await hasSigned(host, address, { key: 'K', sig: on.slice(2) })).toBe(false)
})
