import { portions } from '../../db/bucket-portions.ts'
import { byPages } from '../../db/export-lines.ts'
import type { Db } from '../../db/pool.ts'
import { ofNoWallet, type Tables } from '../../feature.ts'
import { openBytes, type StoredFile } from '../../files/read.ts'
import type { FileStore } from '../../files/store.ts'
import type { ArchivedFile } from '../../lib/zip.ts'
import { instant } from '../../messages/shared-sql.ts'
import { forgetLoose } from './store.ts'

const findLines = (db: Db, wallet: string) =>
  byPages(
    db,
    wallet,
    `select (jsonb_strip_nulls(jsonb_build_object('place', place, 'message', item_id, 'sha256', encode(sha256, 'hex'),
         'time', ${instant('created_ms')})) || file_item_v1(id, size, type, name, sealed, described))::text as item,
       json_build_array(id) as place
     from files where walletaddr = $1 and id > $2 order by id`,
    [''],
  )

/** Yields the files that the wallet has uploaded, each under its id. One whose bytes are missing is left out. */
async function* findFiles(
  db: Db,
  wallet: string,
  store: FileStore,
): AsyncGenerator<ArchivedFile, void, undefined> {
  for (let after: string | undefined = ''; after !== undefined;) {
    const page: StoredFile[] = await db.query<StoredFile>(
      'select id, size, parts, part_ends from files where walletaddr = $1 and id > $2 and have = size and blocked is null order by id limit 100',
      [wallet, after],
    )
    for (const file of page) {
      const content = await openBytes(store, file).catch(() => undefined)
      if (content) yield { name: `files/${file.id}`, stored: true, content }
    }
    after = page.at(-1)?.id
  }
}

async function forgetOwnLoose(db: Db, wallet: string): Promise<void> {
  const loose = await portions<string>(
    db,
    `select bucket, id as key from files where walletaddr = $1 and item_id is null order by bucket, id`,
    [wallet],
  )
  for (const { bucket, keys } of loose) await forgetLoose(db, bucket, keys, { wallet })
}

export const tables: Tables = {
  files: {
    exported: { lines: { 'files.jsonl': findLines }, files: findFiles },
    erased: { before: forgetOwnLoose },
    stays: 'files of messages that others still see, until those are deleted',
    ends: 'retention',
    access: 'messages',
  },
  blobs_gone: {
    exported: 'of deleted files, for a minute',
    erased: 'in a minute, with the bytes',
    stays: 'the size of deleted files, until their bytes are gone; a minute',
    ends: 'retention',
    access: 'numbers',
  },
  wallet_files: {
    exported: 'the sum of files.jsonl',
    erased: 'becomes less with each file, and is deleted with the last one',
    stays: 'the bytes of its files that others still see',
    ends: 'retention',
    access: 'numbers',
  },
  file_disks: ofNoWallet({ column: 'seen_ms', days: 1 }),
}
