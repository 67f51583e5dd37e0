// This compares files with what the service has acknowledged, according to the ledger, and the store with the rows of files.

import { createHash } from 'node:crypto'
import type { Db } from '../../server/src/db/pool.ts'
import type { FileStore } from '../../server/src/files/store.ts'
import { forEachLimited } from '../../server/src/lib/for-each-limited.ts'
import type { Uploaders } from '../load/uploaders.ts'
import type { Wallets } from '../wallets.ts'
import type { Violation } from './checker.ts'
import type { Entry } from './ledger.ts'

/** Reads each file of some messages as one who receives it. Returns what was read, and what differs. */
export async function readFiles(entries: Entry[], wallets: Wallets, url: string) {
  const found: Violation[] = []
  let [files, bytes] = [0, 0]
  await forEachLimited(entries, 4, async (entry) => {
    const { key, files: sent = [] } = entry
    const reader = readerOf(entry, wallets)
    for (const { id, size, sha256 } of sent) {
      const hash = createHash('sha256')
      try {
        for await (const chunk of await wallets.client(reader, url).getFile({ file: id })) {
          hash.update(chunk)
          bytes += chunk.length
        }
      } catch (error) {
        found.push({ kind: 'lost', detail: `file ${id} of ${key} is not readable: ${String(error)}` })
        continue
      }
      files++
      if (hash.digest('hex') !== sha256)
        found.push({ kind: 'lost', detail: `file ${id} of ${key} does not have its ${size} bytes` })
    }
  })
  return { found, files, bytes }
}

/** Returns the other end of a conversation, or another wallet in a chat. */
function readerOf({ room, from }: Entry, { addresses }: Wallets): string {
  const [one, other] = room.split(' ')
  if (other === undefined) return addresses.find((address) => address !== from)!
  return from === one ? other : one!
}

/** Checks that uploads have what was acknowledged of them. */
export async function checkUploads(
  { unsent }: Pick<Uploaders, 'unsent'>,
  wallets: Wallets,
  url: string,
): Promise<Violation[]> {
  const found: Violation[] = []
  await forEachLimited(unsent, 4, async ({ id, from, have }) => {
    const offset = await wallets
      .client(from, url)
      .getFileState({ file: id })
      .then(
        ([state]) => state!.offset,
        (error: unknown) => String(error),
      )
    if (typeof offset === 'string' || offset < have)
      found.push({ kind: 'lost', detail: `${have} bytes of ${id} were acknowledged, it has ${offset}` })
  })
  return found
}

/** Compares the store with the rows: parts that no row of a file or picture has, rows of files whose bytes are missing, and rows that no message has. */
export async function compareStore(db: Db, store: FileStore) {
  const rows = await db.query<{ id: string; have: number; parts: string[]; loose: boolean }>(
    'select id, have, parts, item_id is null as loose from files',
  )
  const pictures = await db.query<{ id: string; part: string }>('select file as id, part from images')
  const known = new Set(
    [...rows.flatMap(({ id, parts }) => parts.map((part) => ({ id, part }))), ...pictures].map(
      ({ id, part }) => `${id}/${part}`,
    ),
  )
  const orphans: string[] = []
  for await (const { id, part } of store.list(Number.MAX_SAFE_INTEGER))
    if (!known.has(`${id}/${part}`)) orphans.push(`${id}/${part}`)
  const missing: string[] = []
  for (const { id, have, parts } of rows) {
    let size = 0
    for (const part of parts) size += (await store.sizeOf(id, part)) ?? 0
    if (size !== have) missing.push(id)
  }
  const [gone] = await db.query<{ n: number }>('select count(*)::int as n from blobs_gone')
  return {
    ids: new Set(rows.map(({ id }) => id)),
    orphans,
    missing,
    loose: rows.filter(({ loose }) => loose).length,
    waiting: gone!.n,
  }
}
