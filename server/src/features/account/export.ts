import type { Readable } from 'node:stream'
import type { Config } from '../../config/settings.ts'
import type { Db } from '../../db/pool.ts'
import type { FileStore } from '../../files/store.ts'
import { keyOf } from '../../db/own-rows.ts'
import { type Feature, tablesOf } from '../../feature.ts'
import { type ArchivedFile, zipOf } from '../../lib/zip.ts'

/**
 * Exports all that the service holds about a wallet, as a ZIP that is made while it is read. Fails at once when nothing can be
 * read.
 */
export async function exportWallet(
  all: readonly Feature[],
  { db, config, fileStore }: { db: Db; config: Config; fileStore: FileStore },
  wallet: string,
): Promise<Readable> {
  const exported = tablesOf(all).flatMap(([, table]) =>
    typeof table.exported === 'string' ? [] : [table.exported],
  )
  const times = exported.flatMap((one) => Object.entries(one.times ?? {}))
  const lines = exported.flatMap((one) => Object.entries(one.lines ?? {}))
  const few = lines.flatMap(([name, made]) => (typeof made === 'string' ? [[name, made] as const] : []))
  // One statement reads all of them.
  const [known] = await db.query<Record<string, string | number | null>>(
    `select ${[
      ...times.map(([name, ms]) => `(${ms}) as ${name}`),
      ...few.map(
        ([name, rows]) => `(select string_agg(item || E'\\n', '') from (${rows}) rows) as "${name}"`,
      ),
    ].join(', ')}`,
    keyOf(wallet),
  )

  async function* files(): AsyncGenerator<ArchivedFile, void, undefined> {
    const since = times.flatMap(([name]) =>
      known![name] === null ? [] : [[name, new Date(Number(known![name])).toISOString()]],
    )
    const account = {
      address: wallet,
      service: config.publicUrl,
      exported_at: new Date().toISOString(),
      ...Object.fromEntries(since),
    }
    yield { name: 'account.json', content: text(`${JSON.stringify(account, undefined, 2)}\n`) }
    for (const [name] of few) yield { name, content: text(known![name] as string | null) }
    for (const [name, made] of lines)
      if (typeof made !== 'string') yield { name, content: made(db, wallet, config) }
    for (const { files: found } of exported) if (found) yield* found(db, wallet, fileStore)
  }
  return zipOf(files())
}

async function* text(content: string | null): AsyncGenerator<string, void, undefined> {
  if (content) yield content
}
