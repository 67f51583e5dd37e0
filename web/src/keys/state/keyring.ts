// The keyring has the encryption keys of the signed-in wallet: the last one is the current one and the others open
// older messages. off: never set up; locked: the current key is not open on this device; open; outdated: the wallet's
// proof of its keys is not for this service, so others do not accept it; elsewhere: the page is not at an address of
// the service. Others encrypt only while a key is published. The backup stays when encryption is switched off, so that
// old messages can be read. setup.ts changes the keys.

import type { PublishedKey } from '@parley/sdk'
import { isContractProof } from '@parley/sdk/key-statement.ts'
import { client } from '../../service/api.ts'
import { currentAccount, onAccountChange } from '../../service/session.ts'
import { createStore, useStore } from '../../state/store.ts'
import { type Backup, mergeBackups, parseBackup } from '../crypto/backup.ts'
import { toBase64 } from '../crypto/bytes.ts'
import { isAtService } from './host.ts'
import { isKeyOf } from './proof.ts'
import { provenCount } from './statement.ts'
import type { KeyPair, SignedKey } from '../crypto/scheme.ts'
import { keepInVault, readVault, type Vault } from './vault.ts'
import { type StoredResponse, putStored, readStored } from '../../device-store/store.ts'

interface Ring {
  address: string
  backup: Backup
  /** These keys are open on this device. */
  pairs: KeyPair[]
  /** When true, messages are encrypted if that is possible. */
  on: boolean
  /** This is true when the service lacks a key that this device knows, or shows others another one. */
  lost: boolean
  /** Nobody has seen this recovery code yet. */
  code: string | undefined
}

export type Keyring =
  | { state: 'unknown' | 'unavailable' | 'elsewhere' | 'outdated' }
  /** It is assumed when the service last said so here and cannot be reached now. */
  | { state: 'off'; isAssumed?: true }
  | ({ state: 'locked' } & Ring)
  | ({ state: 'open'; pair: KeyPair; signed: SignedKey } & Ring)

export const keyring = createStore<Keyring>({ state: 'unknown' })

/** Returns true when the keys have to be read from the service. */
export function isToBeAsked(): boolean {
  const ring = keyring.get()
  return ring.state === 'unknown' || (ring.state === 'off' && ring.isAssumed === true)
}

/** Resolves with the keyring once it is known. */
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

/** Calls back when other keys are open here than before: what was opened is then opened anew. */
export function onOtherKeys(listener: () => void): void {
  let known = ''
  keyring.subscribe(() => {
    const ring = keyring.get()
    const now =
      'pairs' in ring
        ? `${ring.state} ${ring.address} ${ring.pairs.map(({ raw }) => toBase64(raw)).join(' ')}`
        : ring.state
    if (now === known) return
    known = now
    listener()
  })
}

onAccountChange(() => keyring.set({ state: 'unknown' }))

/** Reads first the data of this device, which is enough to write, and then the data of the service. */
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
  const old = unconfirmedKeys(published, backup)
  const isOff = !last && !published?.backup
  void noteOff(address, isOff)
  if (!last) return keyring.set({ state: isOff ? 'off' : 'outdated' })
  const shown = published?.public_key
  const lost = there.keys.length < backup.keys.length || (shown !== '' && shown !== last.key)
  backup.keys = [...old, ...backup.keys]
  // A service that has lost keys has not switched encryption off.
  const on = lost ? vault?.on !== false : shown !== ''
  const stated = published && (await statedBy(address, published))
  const seen = vault?.stated
  const isNewest =
    stated !== undefined &&
    stated.count > 0 &&
    (stated.count > (seen?.count ?? 0) || (stated.count === seen?.count && stated.key === seen.key))
  const stored =
    vault && (await keepInVault(address, { backup: JSON.stringify(backup), on, ...(isNewest && { stated }) }))
  if (!isCurrent()) return
  // Switching off here does not count for the next time that the service says so; a statement of the wallet does.
  if (on) noteSwitch(true)
  else if (isNewest && stated.key === '') noteSwitch(false)
  keyring.set(ringOf(address, backup, stored, on, lost))
}

/** Returns the published statement, if the wallet has proven it. */
export async function statedBy(address: string, { public_key: key, signature }: PublishedKey) {
  const count = await provenCount(address, { public_key: key, signature })
  return count === undefined ? undefined : { key, signature, count }
}

/** Returns the backup that the service has, without keys that the wallet has not proven. */
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

/**
 * Returns the keys of the published backup that a contract has signed once and confirms no longer, because its owners are others
 * now. They stay in the backup, as the oldest ones: the recovery code opens them, and nothing new is encrypted with them.
 */
export function unconfirmedKeys(published: PublishedKey | undefined, proven: Backup): Backup['keys'] {
  if (!currentAccount()?.isContract) return []
  const known = new Set(proven.keys.map(({ key }) => key))
  return parseBackup(published?.backup).keys.filter(({ key, sig }) => isContractProof(sig) && !known.has(key))
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

/** Returns the keys of the ring that are not open on this device. */
export function missingKeys({ backup, pairs }: Pick<Ring, 'backup' | 'pairs'>): Backup['keys'] {
  const open = new Set(pairs.map(({ raw }) => toBase64(raw)))
  return backup.keys.filter(({ key }) => !open.has(key))
}

const offEntry = () => `parley.encryption-off.${currentAccount()?.address}`

/**
 * Returns true when encryption was switched off, or left off, in this browser; elsewhere the service could claim it.
 */
export const isSwitchedOff = (): boolean => localStorage.getItem(offEntry()) !== null

export function noteSwitch(on: boolean): void {
  if (on) localStorage.removeItem(offEntry())
  else localStorage.setItem(offEntry(), new Date().toISOString())
  keyring.set({ ...keyring.get() })
}

const noKeys = 'no keys'

/**
 * Records on this device whether the service has keys of a wallet. Without a connection, a message of a wallet without
 * keys is sent in the clear, as the page says; when that is not known, it waits.
 */
const noteOff = (wallet: string, isOff: boolean): Promise<void> => {
  const record: StoredResponse = {
    wallet,
    kind: 'small',
    hash: noKeys,
    key: [noKeys],
    data: isOff,
    at: Date.now(),
    size: 5,
  }
  return putStored([record])
}

const wasOff = async (wallet: string): Promise<boolean> =>
  (await readStored(wallet, 'small', noKeys))?.data === true
