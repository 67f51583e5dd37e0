// This browser stores the keys of a wallet in IndexedDB.

import type { KeyPair } from '../crypto/scheme.ts'

export interface Vault {
  /** Scripts cannot export the private keys of these pairs. */
  pairs: KeyPair[]
  /** This is the backup as it was last known here, so that the service cannot go back to an earlier one. */
  backup: string
  /** This is true when encryption was on at that time. */
  on: boolean
  /**
   * This is the latest statement of the wallet that this device has seen, as it is published; the key is empty for off.
   */
  stated?: { key: string; signature: string; count: number } | undefined
  /** This is the recovery code that was made here, until somebody has seen it or it is not needed. */
  code?: string | undefined
}

async function inStore<T>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const opening = indexedDB.open('parley', 1)
  opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore('keys'))
  const database = await settled(opening)
  try {
    return await settled(work(database.transaction('keys', mode).objectStore('keys')))
  } finally {
    database.close()
  }
}

const settled = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB failed')))
  })

export async function readVault(address: string): Promise<Vault | undefined> {
  return inStore<Vault | undefined>('readonly', (store) => store.get(address))
}

/** Changes the stored data. Pairs that another tab has added meanwhile stay. */
export async function keepInVault(address: string, change: Partial<Vault>): Promise<Vault> {
  const before = (await readVault(address)) ?? { pairs: [], backup: '', on: false }
  const fresh = (change.pairs ?? []).filter(({ raw }) => !before.pairs.some((one) => isSame(one.raw, raw)))
  const next = { ...before, ...change, pairs: [...before.pairs, ...fresh] }
  await inStore('readwrite', (store) => store.put(next, address))
  return next
}

export const emptyVault = (address: string) => inStore('readwrite', (store) => store.delete(address))

/** Numbers by name, the one that was noted first at the beginning. */
export type Numbers = [name: string, number: number][]

const highestKey = (address: string) => `${address} highest`

/** Returns the highest revisions and counts that a wallet has opened here. */
export const readHighest = async (address: string): Promise<Numbers> =>
  (await inStore<Numbers | undefined>('readonly', (store) => store.get(highestKey(address)))) ?? []

/** Changes them in one transaction, so that tabs do not overwrite each other's. */
export const changeHighest = (address: string, to: (before: Numbers) => Numbers): Promise<unknown> =>
  inStore('readwrite', (store) => {
    const reading: IDBRequest<Numbers | undefined> = store.get(highestKey(address))
    reading.addEventListener('success', () => store.put(to(reading.result ?? []), highestKey(address)))
    return reading
  })

export const emptyHighest = (address: string) =>
  inStore('readwrite', (store) => store.delete(highestKey(address)))

const isSame = (one: Uint8Array, other: Uint8Array) => one.every((byte, index) => byte === other[index])
