// The encryption keys of the signed-in wallet: a ring, of which the last one is the current one and
// the others open older messages. off: never set up; locked: the current key is not open on this
// device; open; outdated: the wallet's proof of its keys is not for this service, so others do not
// accept it; elsewhere: the page is not at an address of the service. Others encrypt only while a
// key is published. The backup stays when encryption is switched off, so that old messages can be
// read. What changes keys is in setup.ts.

import type { PublishedKey } from '@parley/sdk'
import { client } from '../service/api.ts'
import { currentAccount, onAccountChange } from '../service/session.ts'
import { createStore, useStore } from '../ui/store.ts'
import { noteOff, wasOff } from '../kept/own-keys.ts'
import { type Backup, mergeBackups, parseBackup } from './backup.ts'
import { toBase64 } from './bytes.ts'
import { isAtService } from './host.ts'
import { isKeyOf } from './proof.ts'
import type { KeyPair, SignedKey } from './scheme.ts'
import { keepInVault, readVault, type Vault } from './vault.ts'

interface Ring {
  address: string
  backup: Backup
  /** The keys that are open on this device. */
  pairs: KeyPair[]
  /** Whether messages are encrypted where that is possible. */
  on: boolean
  /** Whether the service lacks a key that this device knows, or shows others another one. */
  lost: boolean
  /** A recovery code that nobody has seen yet. */
  code: string | undefined
}

export type Keyring =
  | { state: 'unknown' | 'unavailable' | 'elsewhere' | 'outdated' }
  /** Assumed: it was so when the service was last asked here, and it cannot be reached now. */
  | { state: 'off'; isAssumed?: true }
  | ({ state: 'locked' } & Ring)
  | ({ state: 'open'; pair: KeyPair; signed: SignedKey } & Ring)

export const keyring = createStore<Keyring>({ state: 'unknown' })

/** Whether the service is to be asked for the keys. */
export function isToBeAsked(): boolean {
  const ring = keyring.get()
  return ring.state === 'unknown' || (ring.state === 'off' && ring.isAssumed === true)
}

/** The keyring, once it is known. */
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
 * Reads what this device holds, which is enough to write, and then what the service has. A
 * throw-away key opens its backup by itself.
 */
export async function loadKeyring(): Promise<void> {
  const account = currentAccount()
  if (!account) return
  const { address } = account
  if (!globalThis.crypto?.subtle) return keyring.set({ state: 'unavailable' })
  if (!isAtService) return keyring.set({ state: 'elsewhere' })
  const isCurrent = () => currentAccount()?.address === address
  const vault = await readVault(address)
  const here = parseBackup(vault?.backup)
  if (vault && here.keys.length > 0 && keyring.get().state === 'unknown' && isCurrent())
    keyring.set(ringOf(address, here, vault, vault.on, false))

  const [published] = await client.getKey({ address }).catch(async (error: unknown) => {
    if (keyring.get().state === 'unknown' && (await wasOff(address)) && isCurrent())
      keyring.set({ state: 'off', isAssumed: true })
    throw error
  })
  const there = await provenBackup(address, published, here)
  if (!isCurrent()) return
  const backup = mergeBackups(here, there)
  const last = backup.keys.at(-1)
  const isOff = !last && !published?.backup
  void noteOff(address, isOff)
  if (!last) return keyring.set({ state: isOff ? 'off' : 'outdated' })
  const shown = published?.public_key
  const lost = there.keys.length < backup.keys.length || (shown !== '' && shown !== last.key)
  // A service that has lost keys has not switched encryption off.
  const on = lost ? vault?.on !== false : shown !== ''
  const kept = vault && (await keepInVault(address, { backup: JSON.stringify(backup), on }))
  if (!isCurrent()) return
  keyring.set(ringOf(address, backup, kept, on, lost))
  if (account.kind === 'throw-away' && keyring.get().state === 'locked')
    await (await import('./setup.ts')).unlock()
}

/** The backup that the service has, without keys that the wallet has not proven. */
export async function provenBackup(
  address: string,
  published: PublishedKey | undefined,
  here: Backup,
): Promise<Backup> {
  const there = parseBackup(published?.backup)
  const isKnown = (one: SignedKey) => here.keys.some(({ key, sig }) => key === one.key && sig === one.sig)
  const proven = await Promise.all(there.keys.map(async (one) => isKnown(one) || isKeyOf(address, one)))
  return { ...there, keys: there.keys.filter((_, index) => proven[index]) }
}

function ringOf(
  address: string,
  backup: Backup,
  vault: Vault | undefined,
  on: boolean,
  lost: boolean,
): Keyring {
  const pairs = vault?.pairs ?? []
  const { key, sig } = backup.keys.at(-1)!
  const pair = pairs.find(({ raw }) => toBase64(raw) === key)
  const ring: Ring = { address, backup, pairs, on, lost, code: vault?.code }
  return pair ? { state: 'open', pair, signed: { key, sig }, ...ring } : { state: 'locked', ...ring }
}

/** The keys of the ring that are not open on this device. */
export function missingKeys({ backup, pairs }: Pick<Ring, 'backup' | 'pairs'>): Backup['keys'] {
  const open = new Set(pairs.map(({ raw }) => toBase64(raw)))
  return backup.keys.filter(({ key }) => !open.has(key))
}

const offEntry = () => `parley.encryption-off.${currentAccount()?.address}`

/** Whether encryption was switched off in this browser; elsewhere the service could claim it. */
export const isSwitchedOff = (): boolean => localStorage.getItem(offEntry()) !== null

export function noteSwitch(on: boolean): void {
  if (on) localStorage.removeItem(offEntry())
  else localStorage.setItem(offEntry(), new Date().toISOString())
}
