// A passkey opens the backup of keys beside the wallet's signature or the recovery code.

import { toBase64 } from '../crypto/bytes.ts'
import {
  mostPasskeys,
  passkeysOf,
  passkeysOfKeys,
  type Secret,
  withoutPasskeys,
  withPasskey,
} from '../crypto/backup.ts'
import { shortAddress } from '../../seal/address.ts'
import { handleOf } from '../../passkeys/handle.ts'
import { forgetPasskey, makePasskey, usePasskey } from '../../passkeys/passkey.ts'
import { keyring, missingKeys } from './keyring.ts'
import { askWallet } from './prover.ts'
import { noteSteady, publish, unlock, wrong } from './setup.ts'

/** Opens keys on this device with one of the passkeys that have a lock. */
export async function unlockByPasskey(): Promise<void> {
  const ring = keyring.get()
  if (ring.state !== 'locked' && ring.state !== 'open') return
  const { secret } = await usePasskey(passkeysOfKeys(missingKeys(ring)))
  await unlock({ kind: 'passkey', text: toBase64(secret) })
}

/** Makes a passkey, and locks the keys that the wallet's signature or a recovery code opens with it too. */
export async function addPasskey(code?: string): Promise<void> {
  const ring = keyring.get()
  if (ring.state !== 'open') return
  const { address, backup } = ring
  const known = passkeysOf(backup)
  if (known.length >= mostPasskeys)
    throw new Error(`You already have ${mostPasskeys} passkeys for your messages, the maximum.`)
  const name = `Messages of ${shortAddress(address)}`
  // First the passkey: some browsers make one only right after a click, and a wallet takes its time.
  const made = await makePasskey({ handle: handleOf('messages', address), name, exclude: known })
  try {
    const by: Secret & { kind: 'signature' | 'code' } = code
      ? { kind: 'code', text: code }
      : { kind: 'signature', text: await askWallet(address) }
    const locked = await withPasskey(backup.keys, by, made)
    if (!code && backup.steady === undefined) await noteSteady(locked !== undefined)
    if (!locked) throw new Error(wrong[by.kind])
    const locks = new Map(locked.map((one) => [one.key, one.locks.at(-1)!]))
    await publish((now) => ({
      ...now,
      keys: now.keys.map((one) => {
        const lock = locks.get(one.key)
        return lock?.credential === made.credential ? { ...one, locks: [...one.locks, lock] } : one
      }),
    }))
  } catch (error) {
    forgetPasskey(made.credential)
    throw error
  }
}

/** Makes the passkeys open nothing any more. */
export async function removePasskeys(): Promise<void> {
  const ring = keyring.get()
  if (ring.state !== 'open') return
  const known = passkeysOfKeys(ring.backup.keys)
  await publish(withoutPasskeys)
  for (const credential of known) forgetPasskey(credential)
}
