// The encryption key of the signed-in wallet. off: never set up or switched off; locked: set up,
// but not opened on this device; open; outdated: the wallet's signature of it is not for this
// service, so others do not accept it; elsewhere: the page is not at an address of the service. Others encrypt only while a key is published. The backup stays when
// encryption is switched off, so that old messages can still be read.

import type { PublishedKey } from '@parley/sdk'
import { cache, client } from '../service/api.ts'
import { currentAccount, onAccountChange } from '../service/session.ts'
import { createStore, useStore } from '../ui/store.ts'
import {
  type Backup,
  keyStatement,
  makeBackup,
  newCode,
  newKeyPair,
  normaliseCode,
  openBackup,
  unlockText,
} from './backup.ts'
import { toBase64 } from './bytes.ts'
import { isAtService, serviceHost } from './host.ts'
import type { KeyPair, SignedKey } from './scheme.ts'
import { isKeyOf } from './proof.ts'
import { signAsCurrent } from './sign.ts'
import { forgetPair, keepPair, keptPair } from './vault.ts'

export type Keyring =
  | { state: 'unknown' | 'off' | 'unavailable' | 'elsewhere' | 'outdated' }
  | { state: 'locked'; backup: Backup; on: boolean; published: PublishedKey }
  | { state: 'open'; pair: KeyPair; signed: SignedKey; on: boolean; published: PublishedKey }

export const keyring = createStore<Keyring>({ state: 'unknown' })
/** The keyring, once the service has been asked for it. */
export const loadedKeyring = (): Promise<Keyring> =>
  new Promise((resolve) => {
    const look = () => {
      if (keyring.get().state === 'unknown') return
      stop()
      resolve(keyring.get())
    }
    const stop = keyring.subscribe(look)
    look()
  })
export const useKeyring = (): Keyring => useStore(keyring)

onAccountChange(() => keyring.set({ state: 'unknown' }))

/**
 * Reads the state of the key from the service and this device. A throw-away key opens its backup by
 * itself.
 */
export async function loadKeyring(): Promise<void> {
  const account = currentAccount()
  if (!account) return
  if (!globalThis.crypto?.subtle) return keyring.set({ state: 'unavailable' })
  if (!isAtService) return keyring.set({ state: 'elsewhere' })
  const [published] = await client.getKey({ address: account.address })
  const backup = published?.backup && (JSON.parse(published.backup) as Backup & SignedKey)
  const [pair, isOwn] = backup
    ? await Promise.all([keptPair(account.address), isKeyOf(account.address, backup)])
    : []
  if (currentAccount()?.address !== account.address) return
  if (!published || !backup) return keyring.set({ state: 'off' })
  if (!isOwn) return keyring.set({ state: 'outdated' })
  if (pair && toBase64(pair.raw) === backup.key) return opened(pair, published)
  keyring.set({ state: 'locked', backup, on: published.public_key !== '', published })
  if (account.kind === 'throw-away' && backup.kind === 'signature') await unlock()
}

/** Opens the backup on this device: with the wallet's signature, or with the recovery code. */
export async function unlock(code?: string): Promise<void> {
  const ring = keyring.get()
  if (ring.state !== 'locked') return
  const { backup, published } = ring
  const secret =
    backup.kind === 'code'
      ? normaliseCode(code ?? '')
      : await signAsCurrent(unlockText(serviceHost, published.address))
  const pair = await openBackup(backup, secret, (backup as Backup & SignedKey).key).catch(() => {
    throw new Error(
      backup.kind === 'code' ? 'This is not the recovery code.' : 'This signature does not open the backup.',
    )
  })
  await keepPair(published.address, pair)
  opened(pair, published)
}

/**
 * Creates a key, has the wallet sign it, and publishes it. `onCode` is called with a recovery code
 * where the wallet's signatures cannot open the backup.
 */
export async function setUp(onCode: (code: string) => Promise<void>): Promise<void> {
  const { address } = currentAccount()!
  const { pair, pkcs8 } = await newKeyPair()
  const key = toBase64(pair.raw)
  const sig = await signAsCurrent(keyStatement(serviceHost, address, key))
  if (!(await isKeyOf(address, { key, sig })))
    throw new Error(
      'Others could not check the signature of this kind of wallet, so encryption is not possible with it.',
    )
  const text = unlockText(serviceHost, address)
  const [first, second] = [await signAsCurrent(text), await signAsCurrent(text)]
  const steady = first === second
  const code = newCode()
  if (!steady) await onCode(code)
  const backup = await makeBackup(steady ? 'signature' : 'code', steady ? first : normaliseCode(code), pkcs8)
  const kept = JSON.stringify({ ...JSON.parse(backup), key, sig })
  await keepPair(address, pair)
  await publish({ key, sig }, kept, true)
  await loadKeyring()
}

const offEntry = () => `parley.encryption-off.${currentAccount()?.address}`

/** Whether encryption was switched off in this browser; elsewhere the service could claim it. */
export const isSwitchedOff = (): boolean => localStorage.getItem(offEntry()) !== null

/** Switches encryption of new messages on or off. */
export async function switchEncryption(on: boolean): Promise<void> {
  const ring = keyring.get()
  if (ring.state !== 'open') return
  if (on) localStorage.removeItem(offEntry())
  else localStorage.setItem(offEntry(), new Date().toISOString())
  await publish(ring.signed, ring.published.backup!, on)
  await loadKeyring()
}

/** Forgets the key, for people who can no longer open their backup. */
export async function forgetKey(): Promise<void> {
  const { address } = currentAccount()!
  await forgetPair(address)
  keyring.set({ state: 'off' })
}

async function publish({ key, sig }: SignedKey, backup: string, on: boolean): Promise<void> {
  const { address } = currentAccount()!
  await client.publishKey({
    address,
    body: { address, public_key: on ? key : '', signature: on ? sig : '', backup },
  })
  await cache.invalidateQueries({ queryKey: ['getKey'] })
}

function opened(pair: KeyPair, published: PublishedKey): void {
  const { key, sig } = JSON.parse(published.backup!) as SignedKey
  keyring.set({ state: 'open', pair, published, signed: { key, sig }, on: published.public_key !== '' })
}
