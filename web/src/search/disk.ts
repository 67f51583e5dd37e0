// Where the index lies on the device. A change is one transaction and replaces the head that it has seen: a tab that was killed
// has changed nothing or all, of two tabs with the same head the second one changes nothing, and after the wallet has signed out
// there is no head.

import { onDevice, settled } from '../device-store/store.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** The first record of an index: from it follows what else there is. */
export interface Head {
  /** The number of changes, so that a change shows. */
  changes: number
  /** The id of the key pair from which the key of the index follows, and the salt. */
  pair: string
  salt: Bytes
  data: Bytes
}

export type Kind = 'segment' | 'texts'

export interface DiskChange {
  put: { kind: Kind; name: number; data: Bytes }[]
  remove: { kind: Kind; name: number }[]
}

export interface Disk {
  head: () => Promise<Head | undefined>
  read: (kind: Kind, names: number[]) => Promise<(Bytes | undefined)[]>
  /** Replaces the head `before`; returns false when there is another one, and changes nothing. */
  write: (before: Head | undefined, after: Head, change: DiskChange) => Promise<boolean>
  empty: () => Promise<void>
}

interface Stored {
  wallet: string
  kind: 'head' | Kind
  name: number
  data: Bytes
}

/** Returns the part of this device that a wallet has. */
export function deviceDisk(wallet: string): Disk {
  const records = (transaction: IDBTransaction) => transaction.objectStore('search')
  const get = <T extends Stored>(store: IDBObjectStore, kind: Stored['kind'], name: number) =>
    settled<T | undefined>(store.get([wallet, kind, name]))
  return {
    head: () => onDevice(['search'], 'readonly', (tx) => get<Stored & Head>(records(tx), 'head', 0)),
    read: (kind, names) =>
      onDevice(['search'], 'readonly', (tx) =>
        Promise.all(names.map(async (name) => (await get(records(tx), kind, name))?.data)),
      ),
    write: (before, after, { put, remove }) =>
      onDevice(['search'], 'readwrite', async (tx) => {
        const present = await get<Stored & Head>(records(tx), 'head', 0)
        if (!isSame(present, before)) return false
        const store = records(tx)
        for (const { kind, name } of remove) store.delete([wallet, kind, name])
        for (const one of put) store.put({ wallet, ...one } satisfies Stored)
        store.put({ wallet, kind: 'head', name: 0, ...after } satisfies Stored & Head)
        return true
      }),
    empty: () =>
      onDevice(['search'], 'readwrite', async (tx) => {
        records(tx).delete(IDBKeyRange.bound([wallet], [wallet, []]))
      }),
  }
}

/** Two indexes have different salts. */
export const isSame = (one: Head | undefined, other: Head | undefined): boolean =>
  one?.changes === other?.changes && String(one?.salt) === String(other?.salt)
