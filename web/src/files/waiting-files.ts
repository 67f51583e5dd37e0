// IndexedDB stores the bytes of files that wait to be sent, a record for each, until their message is sent or deleted.
// Where it cannot, because the disk is full or the browser has no IndexedDB, this tab has them in memory: then a reload
// loses them, and nothing else.

import { createStore, delMany, get, keys, setMany, type UseStore } from 'idb-keyval'
import { waitingKeys } from '../thread/entries.ts'

interface Waiting {
  file: Blob
  /** This is a small picture of it, for an encrypted message. */
  preview?: string | undefined
}

let opened: UseStore | undefined
const records = () => (opened ??= createStore('parley-waiting-files', 'files'))

/** These are not stored yet, or cannot be. */
const held = new Map<string, Waiting>()

/** Stores files of a message that is in the outbox already. */
export async function keepWaiting(files: [key: string, waiting: Waiting][]): Promise<void> {
  for (const [key, waiting] of files) held.set(key, waiting)
  try {
    await setMany(files, records())
    for (const [key] of files) held.delete(key)
    await sweepWaiting()
  } catch {
    // They are in memory.
  }
}

/** Deletes what no message in the outbox of this browser has. */
export async function sweepWaiting(): Promise<void> {
  const needed = waitingKeys()
  for (const key of held.keys()) if (!needed.has(key)) held.delete(key)
  try {
    const gone = (await keys<string>(records())).filter((key) => !needed.has(key))
    if (gone.length > 0) await delMany(gone, records())
  } catch {
    // There is nothing then.
  }
}

/** Another tab may be storing it at this moment. */
const patience = [0, 300, 2000]

async function findWaiting(key: string): Promise<Waiting | undefined> {
  for (const milliseconds of patience) {
    if (milliseconds > 0) await new Promise((resolve) => setTimeout(resolve, milliseconds))
    const found = held.get(key) ?? (await get<Waiting>(key, records()).catch(() => undefined))
    if (found || !waitingKeys().has(key)) return found
  }
  return undefined
}

/** Returns the bytes of a file that waits to be sent; undefined where they are not here. */
export const readWaiting = async (key: string): Promise<Blob | undefined> => (await findWaiting(key))?.file

/** Returns the small picture of such a file. */
export const readPreview = async (key: string): Promise<string | undefined> =>
  (await findWaiting(key))?.preview
