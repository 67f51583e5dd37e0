// IndexedDB stores what was last read: a record per response, as the service sent it. When it cannot be stored, because
// the disk is full or the browser has no IndexedDB, nothing breaks: nothing depends on it.

/**
 * Counts the shapes of stored data. A client with another shape deletes all of it. Raise it when a field that a page
 * needs is added to, or leaves, a stored response.
 */
const shape = 3

/**
 * The database has these lists, and the keys of their records. The first part of each key is the wallet: what is deleted with a
 * wallet is deleted from all of them.
 */
const lists = { records: ['wallet', 'kind', 'hash'], search: ['wallet', 'kind', 'name'] }
type List = keyof typeof lists

/** rows: the inbox; history: the newest messages of a conversation or chat; small: names and other small data. */
export type Kind = 'rows' | 'history' | 'small'

export interface StoredResponse {
  wallet: string
  kind: Kind
  /** The hash is that of the query, and the key is its key. */
  hash: string
  key: readonly unknown[]
  data: unknown
  /** At this time the service sent it, or an event changed it. */
  at: number
  /** The size is an approximate number of characters. */
  size: number
}

/**
 * A wallet has at most this number of records of a kind, with this total size. The oldest histories are deleted first.
 */
const bounds: Record<Kind, { records: number; size: number }> = {
  rows: { records: 1, size: 500_000 },
  history: { records: 30, size: 3_000_000 },
  small: { records: 200, size: 1_000_000 },
}

export const settled = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result), { once: true })
    request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB failed')), {
      once: true,
    })
  })

async function open(): Promise<IDBDatabase> {
  const opening = indexedDB.open('parley-kept', shape)
  opening.addEventListener('upgradeneeded', () => {
    const { result } = opening
    for (const name of result.objectStoreNames) result.deleteObjectStore(name)
    for (const [name, keyPath] of Object.entries(lists)) result.createObjectStore(name, { keyPath })
    opening.transaction!.objectStore('records').createIndex('age', ['wallet', 'kind', 'at', 'size'])
  })
  const database = await settled(opening)
  // A page of a newer build needs another shape.
  const leave = () => {
    database.close()
    opened = undefined
  }
  database.addEventListener('versionchange', leave)
  database.addEventListener('close', leave)
  return database
}

let opened: Promise<IDBDatabase> | undefined

/** Runs work in one transaction. Fails when the device has no room for it, or no IndexedDB. */
export async function onDevice<T>(
  names: List[],
  mode: IDBTransactionMode,
  work: (transaction: IDBTransaction) => Promise<T>,
): Promise<T> {
  let transaction: IDBTransaction | undefined
  try {
    const begun = (await (opened ??= open())).transaction(names, mode)
    transaction = begun
    const ended = new Promise<void>((resolve, reject) => {
      begun.addEventListener('complete', () => resolve())
      begun.addEventListener('abort', () => reject(begun.error ?? new Error('IndexedDB failed')))
    })
    // It is awaited only after the work, which may fail first.
    ended.catch(() => {})
    const result = await work(begun)
    await ended
    return result
  } catch (error) {
    undo(transaction)
    if (await opened?.then(() => false).catch(() => true)) opened = undefined
    throw error
  }
}

/** Work that fails changes nothing. */
function undo(transaction: IDBTransaction | undefined): void {
  try {
    transaction?.abort()
  } catch {
    // It has ended.
  }
}

/** Runs work on the records in one transaction; returns undefined when it fails. */
const inStore = <T>(
  mode: IDBTransactionMode,
  work: (records: IDBObjectStore) => Promise<T>,
): Promise<T | undefined> =>
  onDevice(['records'], mode, (transaction) => work(transaction.objectStore('records'))).catch(
    () => undefined,
  )

const all = (wallet: string, kind: Kind) => IDBKeyRange.bound([wallet, kind], [wallet, kind, []])

export const readStored = (wallet: string, kind: Kind, hash: string): Promise<StoredResponse | undefined> =>
  inStore('readonly', async (records) =>
    settled<StoredResponse | undefined>(records.get([wallet, kind, hash])),
  )

/** Returns the records of a kind, newest first. */
export const listStored = async (wallet: string, kind: Kind): Promise<StoredResponse[]> => {
  const found = await inStore('readonly', async (records) =>
    settled<StoredResponse[]>(records.getAll(all(wallet, kind))),
  )
  return (found ?? []).toSorted((one, other) => other.at - one.at)
}

/** Stores records, but never over a newer one, which another tab may have stored. */
export const putStored = (responses: StoredResponse[]): Promise<void> =>
  inStore('readwrite', async (records) => {
    for (const one of responses) {
      const { wallet, kind, hash, at } = one
      const known = await settled<StoredResponse | undefined>(records.get([wallet, kind, hash]))
      if (!known || known.at < at) records.put(one)
    }
    for (const wallet of new Set(responses.map((one) => one.wallet)))
      for (const kind of Object.keys(bounds) as Kind[]) await prune(records, wallet, kind)
  })

/** Deletes the oldest records beyond the bounds. */
async function prune(records: IDBObjectStore, wallet: string, kind: Kind): Promise<void> {
  let [count, total] = [0, 0]
  const request = records.index('age').openKeyCursor(all(wallet, kind), 'prev')
  for (let cursor = await settled(request); cursor; cursor = await settled(request)) {
    total += (cursor.key as [string, string, number, number])[3]
    if (++count > bounds[kind].records || total > bounds[kind].size) records.delete(cursor.primaryKey)
    cursor.continue()
  }
}

/** Changes records of a kind in one transaction. A record is deleted when `change` returns undefined for it. */
export const changeStored = (
  wallet: string,
  kind: Kind,
  change: (stored: StoredResponse) => StoredResponse | undefined,
): Promise<void> =>
  inStore('readwrite', async (records) => {
    for (const one of await settled<StoredResponse[]>(records.getAll(all(wallet, kind)))) {
      const changed = change(one)
      if (!changed) records.delete([one.wallet, one.kind, one.hash])
      else if (changed !== one) records.put(changed)
    }
  })

/** Deletes the stored data of all wallets but one, from each list. */
export const keepOnly = (wallet: string | undefined): Promise<void> =>
  onDevice(Object.keys(lists) as List[], 'readwrite', async (transaction) => {
    for (const name of transaction.objectStoreNames) {
      const records = transaction.objectStore(name)
      if (wallet === undefined) records.clear()
      else {
        records.delete(IDBKeyRange.upperBound([wallet], true))
        records.delete(IDBKeyRange.lowerBound([wallet, []], true))
      }
    }
  }).catch(() => {})
