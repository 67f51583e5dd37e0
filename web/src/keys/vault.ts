import type { KeyPair } from './scheme.ts'

// Key pairs are kept in IndexedDB as keys that scripts cannot export.

const inStore = async <T>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> => {
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

export const keptPair = (address: string): Promise<KeyPair | undefined> =>
  inStore<KeyPair | undefined>('readonly', (store) => store.get(address))
export const keepPair = (address: string, pair: KeyPair) =>
  inStore('readwrite', (store) => store.put(pair, address))
export const forgetPair = (address: string) => inStore('readwrite', (store) => store.delete(address))
