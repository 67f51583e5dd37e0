// The form of encrypted messages, against the vectors of docs/encryption.md and against senders and
// services that do not keep to it.

import { createHash, createHmac } from 'node:crypto'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import vectors from '../../docs/encryption-vectors.json' with { type: 'json' }
import { openKeys } from '../src/keys/crypto/backup.ts'
import { fromBase64, toBase64, toBytes } from '../src/keys/crypto/bytes.ts'
import { open, openWithKey, seal } from '../src/keys/crypto/envelope.ts'
import { unwrap, wrap } from '../src/keys/crypto/hpke.ts'
import { canonicalSignature, hasSigned } from '../src/keys/crypto/key-proof.ts'
import { unlockText } from '../src/keys/crypto/unlock-text.ts'
import { CannotOpen, MissingKey, schemeOf, type Sealed, type SignedKey } from '../src/keys/crypto/scheme.ts'
import { pairOf } from './vector-keys.ts'
import { safetyNumber } from '../src/keys/crypto/safety-number.ts'
import { sealedSize } from '../src/keys/crypto/sealed-size.ts'

const { host, version_2: second } = vectors
const fromHex = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'))
const toHex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const isKeyOf = (wallet: string, signed: SignedKey) => hasSigned(host, wallet, signed)

const [alice, bob] = await Promise.all([pairOf(vectors.alice), pairOf(vectors.bob)])
const signed: SignedKey = { key: vectors.alice.public_key, sig: vectors.alice.proof }
const clear: Sealed = {
  fromaddr: vectors.alice.address,
  toaddr: vectors.bob.address,
  nftaddr: '',
  nftid: '',
  message: 'hello',
}
const from = { own: alice, from: signed, peer: bob.raw }
const sealed = async (item = clear) => (await seal(item, { ...from, at: 1_000 })).item
const headerOf = (item: Sealed) => JSON.parse(item.encrypted_sym_x_key!)
const withHeader = (item: Sealed, change: object): Sealed => ({
  ...item,
  encrypted_sym_x_key: JSON.stringify({ ...headerOf(item), ...change }),
})

test('the vector opens for either side', async () => {
  for (const pair of [alice, bob])
    expect(await open(second.item, [pair], isKeyOf)).toMatchObject({ text: second.text, at: second.at })
})

test('a message is of this form when it names it: any other is said to be of another app', () => {
  expect(schemeOf(second.item)).toBe('own')
  expect(schemeOf({ ...second.item, x_access_conditions: '{"scheme":"parley-hpke-1"}' })).toBe('other')
  expect(schemeOf({ ...second.item, x_access_conditions: undefined })).toBe('other')
  expect(schemeOf(clear)).toBe('none')
})

test('every value between text and wire is as the vectors say', async () => {
  const key = fromHex(second.message_key_hex)
  const hmac = (label: string) => createHmac('sha256', key).update(label).digest('hex')
  expect(hmac('parley-hpke-2 key')).toBe(second.encryption_key_hex)
  expect(hmac('parley-hpke-2 commit')).toBe(second.commit_hex)
  const header = headerOf(second.item)
  expect(toHex(fromBase64(header.commit))).toBe(second.commit_hex)
  const { fromaddr, toaddr, message } = second.item
  const context = ['parley-hpke-2', fromaddr, toaddr, '', '', header.from.key, header.cid, header.rev]
  expect(JSON.stringify(context)).toBe(second.context)
  const hash = createHash('sha256').update(fromBase64(message)).digest('base64url')
  expect(JSON.stringify([...context, header.commit, hash])).toBe(second.bound)
  const bound = toBytes(second.bound)
  expect(toHex(await unwrap(header, second.item, [bob], isKeyOf, bound))).toBe(second.message_key_hex)
  const { wallet_private_key_hex, address, unlock_text, unlock_signature } = vectors.alice
  expect(unlockText(host, address)).toBe(unlock_text)
  const wallet = privateKeyToAccount(`0x${wallet_private_key_hex}`)
  expect(canonicalSignature(await wallet.signMessage({ message: unlock_text }))).toBe(unlock_signature)
  expect(await hasSigned(host, address, signed)).toBe(true)
  const { secret, lock } = vectors.lock
  const keys = [{ ...signed, locks: [lock as { kind: 'signature' } & typeof lock] }]
  expect(await openKeys(keys, { kind: 'signature', text: secret })).toHaveLength(1)
})

test('the safety number is as the vector says, whoever asks, and another one with another key or wallet', async () => {
  const [one, other] = [vectors.alice, vectors.bob].map(({ address, public_key: key }) => ({ address, key }))
  const { text, number } = vectors.safety_number
  const hash = createHash('sha512').update(text).digest()
  const blocks = Array.from({ length: 12 }, (_, i) => hash.readUIntBE(5 * i, 5) % 100_000)
  expect(blocks.map((block) => String(block).padStart(5, '0')).join(' ')).toBe(number)
  const of = async (...sides: Parameters<typeof safetyNumber>) => (await safetyNumber(...sides)).join(' ')
  expect(await of(host, one!, other!)).toBe(number)
  expect(await of(host, other!, one!)).toBe(number)
  const others = [
    await of('other.example', one!, other!),
    await of(host, { ...one!, key: other!.key }, other!),
    await of(host, { ...one!, address: `0x${'11'.repeat(20)}` }, other!),
  ]
  expect(new Set([number, ...others]).size).toBe(4)
})

test('a message opens only as it was sealed: no field of it can be changed', async () => {
  const item = await sealed()
  expect(await open(item, [bob], isKeyOf)).toMatchObject({ text: 'hello', at: 1_000 })
  const other = await sealed()
  const header = headerOf(item)
  const changes: Sealed[] = [
    { ...item, fromaddr: item.toaddr, toaddr: item.fromaddr },
    { ...item, toaddr: `0x${'11'.repeat(20)}` },
    { ...item, nftaddr: `0x${'22'.repeat(20)}` },
    { ...item, nftid: '1' },
    { ...item, message: other.message },
    { ...item, message: `${item.message.slice(0, -4)}AAAA` },
    withHeader(item, { v: 1 }),
    withHeader(item, { v: 3 }),
    withHeader(item, { cid: headerOf(other).cid }),
    withHeader(item, { rev: 1 }),
    withHeader(item, { rev: '0' }),
    withHeader(item, { commit: headerOf(other).commit }),
    withHeader(item, { to: headerOf(other).to }),
    withHeader(item, { from: { ...signed, sig: 'parley-proof-1.AA' } }),
    withHeader(item, { from: { key: vectors.bob.public_key, sig: signed.sig } }),
    withHeader(item, { to: [{ ...header.to[0], enc: header.to[1].enc }, header.to[1]] }),
  ]
  for (const [index, changed] of changes.entries())
    await expect(open(changed, [bob], isKeyOf), `${index}`).rejects.toThrow()
})

test('a reader who gets another key than the one committed to refuses the message', async () => {
  const item = await sealed()
  const header = headerOf(item)
  const [context, hash] = [
    ['parley-hpke-2', item.fromaddr, item.toaddr, '', '', signed.key, header.cid, 0],
    createHash('sha256').update(fromBase64(item.message)).digest('base64url'),
  ]
  // Another key for Bob, under everything else that binds.
  const bound = toBytes(JSON.stringify([...context, header.commit, hash]))
  const forBob = await wrap(new Uint8Array(32), bob.raw, alice, bound)
  const two = withHeader(item, { to: [forBob, header.to[1]] })
  await expect(open(two, [bob], isKeyOf)).rejects.toThrow('not the one that its sender has committed to')
  expect(await open(two, [alice], isKeyOf)).toMatchObject({ text: 'hello' })
})

test('the key of one message shows what that stored message says, and no other key does', async () => {
  const key = fromHex(second.message_key_hex)
  expect(await openWithKey(second.item, key)).toMatchObject({ text: second.text })
  await expect(openWithKey(await sealed(), key)).rejects.toThrow(CannotOpen)
  await expect(openWithKey(second.item, new Uint8Array(32))).rejects.toThrow(CannotOpen)
})

test('the keys of a ring open what was sealed for any of them; without the right one it is said so', async () => {
  const item = await sealed()
  const fresh = await pairOf({
    x25519_private_key_hex: '03'.repeat(32),
    public_key: 'XffeeF3IFxajOSxlxgQ0z9hugZMT1oYEYYgWCqtl5Rg',
  })
  await expect(open(item, [fresh], isKeyOf)).rejects.toThrow(MissingKey)
  await expect(open(item, [], isKeyOf)).rejects.toThrow(MissingKey)
  expect(await open(item, [fresh, bob], isKeyOf)).toMatchObject({ text: 'hello' })
})

test('two messages with the same text have nothing in common but their length', async () => {
  const [one, other] = [await sealed(), await sealed()]
  expect(one.message.length).toBe(other.message.length)
  expect(one.message).not.toBe(other.message)
  for (const field of ['cid', 'commit']) expect(headerOf(one)[field]).not.toBe(headerOf(other)[field])
  expect(fromBase64(headerOf(one).cid)).toHaveLength(16)
  expect(toBase64(fromBase64(headerOf(one).commit))).toBe(headerOf(one).commit)
})

test('the size of a sealed text, with its files, is known before it is sealed', async () => {
  for (const message of ['', 'a'.repeat(1000), '"\n'.repeat(500), 'ü€😀'.repeat(300)]) {
    const re = { cid: 'A'.repeat(22), h: 'A'.repeat(43) }
    const size = async (more: object) =>
      (await seal({ ...clear, message }, { ...from, at: Date.now(), ...more })).item.message.length
    const { files } = vectors.with_files
    expect(sealedSize(message)).toBeGreaterThanOrEqual(await size({ re }))
    expect(sealedSize(message)).toBeLessThan((await size({})) + 250)
    expect(sealedSize(message, files)).toBeGreaterThanOrEqual(await size({ re, files }))
    expect(sealedSize(message, files)).toBeLessThan((await size({ files })) + 250)
  }
})
