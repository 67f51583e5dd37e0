// What this browser holds of the keys of a wallet, in IndexedDB.

import type { KeyPair } from './scheme.ts'

export interface Vault {
  /** Key pairs whose private keys scripts cannot export. */
  pairs: KeyPair[]
  /** The backup as it was last known here, so that the service cannot go back to an earlier one. */
  backup: string
  /** Whether encryption was on when that was last known. */
  on: boolean
  /** The recovery code that was made here, until somebody has seen it or it is not needed. */
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
  const kept = await inStore<Vault | KeyPair | undefined>('readonly', (store) => store.get(address))
  // Before wallets had rings, the pair itself was kept.
  return kept && 'raw' in kept ? { pairs: [kept], backup: '', on: true } : kept
}

/** Changes what is held. Pairs that another tab has added meanwhile stay. */
export async function keepInVault(address: string, change: Partial<Vault>): Promise<Vault> {
  const before = (await readVault(address)) ?? { pairs: [], backup: '', on: false }
  const fresh = (change.pairs ?? []).filter(({ raw }) => !before.pairs.some((one) => isSame(one.raw, raw)))
  const next = { ...before, ...change, pairs: [...before.pairs, ...fresh] }
  await inStore('readwrite', (store) => store.put(next, address))
  return next
}

export const emptyVault = (address: string) => inStore('readwrite', (store) => store.delete(address))

const isSame = (one: Uint8Array, other: Uint8Array) => one.every((byte, index) => byte === other[index])
