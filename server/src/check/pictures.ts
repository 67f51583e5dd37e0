// This compares the rows of pictures with the store of files: whether it has as many bytes as a row says. It does not read them.

import type { Session } from '../db/session.ts'
import type { FileStore } from '../files/store.ts'
import { forEachLimited } from '../lib/for-each-limited.ts'
import type { Fault } from './walk.ts'

interface Row {
  wbucket: number
  addr: string
  id: string
  file: string
  part: string
  size: number
}

const atOnce = 500
/** A bucket takes a moment for each. */
const together = 8

/** Calls back for each picture whose bytes the store does not have. */
export async function checkPictures(
  { query }: Session,
  store: FileStore,
  onFault: (fault: Fault) => void,
): Promise<void> {
  /** A picture may be replaced or deleted after its row was read: then another row counts. */
  const isPresent = async ({ wbucket, addr, file }: Row) =>
    (
      await query('select 1 as one from images where wbucket = $1 and addr = $2 and file = $3', [
        wbucket,
        addr,
        file,
      ])
    ).length > 0
  for (let after: [number, string] | undefined = [-1, '']; after;) {
    const page: Row[] = await query<Row>(
      `select wbucket, addr, id::text as id, file, part, size from images
       where (wbucket, addr) > ($1, $2) order by wbucket, addr limit ${atOnce}`,
      after,
    )
    const wrong: Row[] = []
    await forEachLimited(page, together, async (row) => {
      if ((await store.sizeOf(row.file, row.part)) !== row.size) wrong.push(row)
    })
    for (const row of wrong)
      if (await isPresent(row))
        onFault({ row: `images ${row.id}`, wrong: ['the store of files does not have its bytes'] })
    const last = page.at(-1)
    after = last && page.length === atOnce ? [last.wbucket, last.addr] : undefined
  }
}
