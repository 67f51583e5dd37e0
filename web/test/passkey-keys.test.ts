// What a passkey encrypts, against the vectors of docs/encryption.md, and against bytes that were changed.

import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import vectors from '../../docs/encryption-vectors.json' with { type: 'json' }
import {
  type BackedKey,
  type Lock,
  makeLock,
  openKeys,
  type Secret,
  withoutPasskeys,
  withPasskey,
} from '../src/keys/crypto/backup.ts'
import { fromBase64, randomBytes, toBase64 } from '../src/keys/crypto/bytes.ts'
import { guestKeyName, openGuestKey, sealGuestKey } from '../src/passkeys/guest-key.ts'
import { handleOf, readHandle } from '../src/passkeys/handle.ts'

const { host, alice, bob, passkey } = vectors
const { guest } = passkey
const fromHex = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'))
const secret = fromHex(passkey.secret_hex)
const key = `0x${alice.wallet_private_key_hex}` as const
const place = { host, address: guest.address }

test('the vector of an account is made and opened', async () => {
  expect(await guestKeyName(secret)).toBe(guest.name)
  expect(await sealGuestKey(secret, key, place, fromHex(guest.iv_hex))).toBe(guest.data)
  const opened = await openGuestKey(secret, guest.data, place)
  expect(privateKeyToAccount(opened).address.toLowerCase()).toBe(guest.address)
  // The contract has the same lengths.
  expect([guest.name.length, guest.data.length]).toEqual([43, 80])
})

test('no byte of it can be changed, and no other passkey, wallet or service opens it', async () => {
  const bytes = fromBase64(guest.data)
  for (const at of bytes.keys()) {
    const changed = bytes.with(at, bytes[at]! ^ 1)
    await expect(openGuestKey(secret, toBase64(changed), place), `byte ${at}`).rejects.toThrow()
  }
  await expect(openGuestKey(secret, toBase64(bytes.slice(0, -1)), place)).rejects.toThrow()
  await expect(openGuestKey(secret.with(0, 1), guest.data, place)).rejects.toThrow()
  await expect(openGuestKey(secret, guest.data, { ...place, address: bob.address })).rejects.toThrow()
  await expect(openGuestKey(secret, guest.data, { ...place, host: 'other.example' })).rejects.toThrow()
})

test('a passkey says what it is for and of which wallet, and each is another one', () => {
  for (const purpose of ['account', 'messages'] as const) {
    const handle = handleOf(purpose, guest.address)
    expect(readHandle(handle)).toEqual({ purpose, address: guest.address })
    expect(handleOf(purpose, guest.address)).not.toEqual(handle)
    expect(readHandle(handle.slice(0, -1))).toBeUndefined()
    expect(readHandle(new Uint8Array([3, ...handle.slice(1)]))).toBeUndefined()
  }
  expect(readHandle(new Uint8Array())).toBeUndefined()
})

const byPasskey: Secret = { kind: 'passkey', text: toBase64(secret) }
const byWallet = { kind: 'signature', text: alice.unlock_signature } as const
const pkcs8Of = ({ x25519_private_key_hex: hex }: { x25519_private_key_hex: string }) =>
  fromHex(`302e020100300506032b656e04220420${hex}`)
const backed = (publicKey: string, ...locks: Lock[]): BackedKey => ({ key: publicKey, sig: '', locks })
const opened = async (keys: BackedKey[], by: Secret) =>
  (await openKeys(keys, by)).map(({ raw }) => toBase64(raw))

test('the lock of the vector opens with its passkey alone', async () => {
  const keys = [backed(alice.public_key, passkey.lock_of_alice as Lock)]
  expect(await opened(keys, byPasskey)).toEqual([alice.public_key])
  const other: Secret = { kind: 'passkey', text: toBase64(randomBytes(32)) }
  expect(await opened(keys, other)).toEqual([])
  // The same bytes as those of a signature or a code open nothing.
  const asOther = [backed(alice.public_key, { ...(passkey.lock_of_alice as Lock), kind: 'signature' })]
  expect(await opened(asOther, { kind: 'signature', text: byPasskey.text })).toEqual([])
})

test('a passkey is added only to keys that another secret opens, and taken away without those', async () => {
  const code = { kind: 'code', text: 'ABCD-EFGH-JKMN-PQRS-TVWX-YZ01-2345-6789' } as const
  const keys = [
    backed(bob.public_key, await makeLock(code, pkcs8Of(bob))),
    backed(alice.public_key, await makeLock(byWallet, pkcs8Of(alice))),
  ]
  const added = { credential: 'AAAA', secret }
  expect(await withPasskey(keys, code, added)).toBeUndefined()
  expect(await withPasskey(keys, { ...byWallet, text: passkey.secret_hex }, added)).toBeUndefined()
  const locked = (await withPasskey(keys, byWallet, added))!
  expect(locked.map(({ locks }) => locks.map(({ kind }) => kind))).toEqual([
    ['code'],
    ['signature', 'passkey'],
  ])
  expect(locked[1]!.locks[1]).toMatchObject({ credential: 'AAAA' })
  expect(await opened(locked, byPasskey)).toEqual([alice.public_key])
  expect(withoutPasskeys({ v: 2, keys: locked })).toEqual({ v: 2, keys })
})
