// What a page has in the storage of the browser.

import type { Person } from './person.ts'

export interface StoredRecord {
  wallet: string
  kind: string
  key: unknown[]
  data: unknown
}

/** The records of what was read last. */
export const storedRecords = async (person: Person, kind?: string): Promise<StoredRecord[]> =>
  (await allRecords(person))
    .filter(({ database }) => database === 'parley-kept')
    .map(({ value }) => value as StoredRecord)
    .filter((record) => kind === undefined || record.kind === kind)

/** All that lies in IndexedDB, as far as it can be copied. */
const allRecords = ({ page }: Person): Promise<{ database: string; value: unknown }[]> =>
  page.evaluate(async () => {
    const settled = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result))
        request.addEventListener('error', () => reject(request.error!))
      })
    const found = []
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await settled(indexedDB.open(name))
      for (const store of database.objectStoreNames)
        for (const value of await settled(database.transaction(store).objectStore(store).getAll()))
          found.push({ database: name, value: JSON.parse(JSON.stringify(value)) as unknown })
      database.close()
    }
    return found
  })

/** All texts in IndexedDB, localStorage, sessionStorage and the caches. */
export async function everythingStored(person: Person): Promise<string> {
  const others = await person.page.evaluate(async () => {
    const texts: string[] = [localStorage, sessionStorage].map((storage) =>
      JSON.stringify(Object.entries(storage)),
    )
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys())
        if (!request.url.includes('/assets/'))
          texts.push(request.url, await (await cache.match(request))!.text())
    }
    return texts
  })
  return JSON.stringify([await allRecords(person), others])
}

/** All that lies in IndexedDB as it is there: texts of the records, and their bytes as Latin-1. */
export const bytesStored = ({ page }: Person): Promise<string> =>
  page.evaluate(async () => {
    const settled = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result))
        request.addEventListener('error', () => reject(request.error!))
      })
    const found: string[] = []
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await settled(indexedDB.open(name))
      for (const store of database.objectStoreNames)
        for (const value of (await settled(
          database.transaction(store).objectStore(store).getAll(),
        )) as unknown[]) {
          const text = JSON.stringify(value, (_key, part: unknown) =>
            part instanceof Uint8Array ? new TextDecoder('latin1').decode(part) : part,
          )
          found.push(text)
        }
      database.close()
    }
    return found.join('\n')
  })
