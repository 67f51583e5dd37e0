// This module checks a whole database: every counter against a recount, every copy against what it was made from, every row
// against the bucket it must lie in, and pictures against the store of files. It reads only, and may run beside the service (walk.ts).

import { appliedMigrations, isOfOldLayout, listMigrations } from '../db/migrate.ts'
import { type LayoutName, readLayout } from '../db/layout.ts'
import { openSession, type Session } from '../db/session.ts'
import type { FileStore } from '../files/store.ts'
import type { OnProgress } from '../lib/progress.ts'
import { chats, comments, joined, members, visits, withheld } from './chats.ts'
import { conversations } from './conversations.ts'
import { fileBytes, files, goneFiles, shownFiles } from './files.ts'
import { checkPictures } from './pictures.ts'
import { walk, type Fault, faultsOf, type Walk, when, wrong } from './walk.ts'
import { messageReactions, postReactions, reactions } from './reactions.ts'
import { wallets } from './wallets.ts'

const allWalks: Walk[] = [
  conversations,
  chats,
  visits,
  withheld,
  comments,
  reactions,
  messageReactions,
  postReactions,
  files,
  goneFiles,
  ...shownFiles,
  ...wallets,
]

/** The tables with the ids of items. */
const items = ['direct_messages', 'group_messages', 'events', 'withheld_posts']

const atNumber = (number: string) =>
  when(`used / 64 > ${number}`, `format('it is at %s, but id %s exists', ${number}, used)`)

const numbers: Record<LayoutName, string> = {
  // The ids come from a sequence.
  machine: `
  select 'item_numbers' as row, ${wrong(atNumber('last_value'))}
  from item_numbers, (select greatest(${items.map((name) => `(select max(id) from ${name})`).join(', ')}) as used) ids`,

  // Each bucket counts by itself.
  cluster: `
  select format('buckets %s', b.bucket) as row, ${wrong(atNumber('b.number'))}
  from buckets b join (
    select bucket, max(id) as used from (${items.map((name) => `select bucket, id from ${name}`).join(' union all ')}) i
    group by bucket
  ) i on i.bucket = b.bucket`,
}

const service = `
  select 'buckets' as row, ${wrong(
    when(
      '(select count(bucket) from buckets where bucket between 0 and 63) <> 64',
      `'it has not one row for each of the 64 buckets'`,
    ),
  )}
  union all
  select 'events_forgotten', ${wrong(when('(select count(id) from events_forgotten) <> 1', `'it has not one row'`))}
  union all
  select 'log_readers', ${wrong(
    when(`not exists (select name from log_readers where name = 'dm-mails')`, `'it has no row dm-mails'`),
  )}`

interface CheckOptions {
  databaseUrl: string
  /** The store of files, which must have the bytes of pictures; without it they are not looked for. */
  fileStore?: FileStore
  onFault: (fault: Fault) => void
  /** The table that is being checked, and bytes. */
  onProgress?: OnProgress
}

/** Checks a database; returns how many tables and how many faults there are. */
export async function check({
  databaseUrl,
  fileStore,
  onFault,
  onProgress = () => {},
}: CheckOptions): Promise<{ tables: number; faults: number }> {
  await using session = await openSession(databaseUrl, 'parley check')
  await requireTables(session)
  let faults = 0
  const count = (fault: Fault) => {
    faults++
    onFault(fault)
  }
  const sizes = await findSizes(session)
  const layout = await readLayout(session.client)
  const walks = allWalks.filter(({ onlyOn = layout }) => onlyOn === layout)
  const sizeOf = (one: Walk) => tablesOf(one).reduce((sum, name) => sum + (sizes.get(name) ?? 0), 0)
  const total = walks.reduce((sum, one) => sum + sizeOf(one), 0)
  let done = 0
  for (const one of walks) {
    const size = sizeOf(one)
    onProgress(one.table, done, total)
    await walk(session, one, count, (share) => onProgress(one.table, done + share * size, total))
    done += size
  }
  for (const rows of [members, joined, fileBytes, numbers[layout], service])
    for (const fault of await session.query<Fault>(faultsOf(rows))) count(fault)
  if (fileStore) await checkPictures(session, fileStore, count)
  return { tables: new Set(walks.flatMap(tablesOf)).size, faults }
}

const tablesOf = (one: Walk): string[] => [one.table].concat(one.with ?? [])

async function requireTables({ client }: Session): Promise<void> {
  const applied = await appliedMigrations(client)
  if (applied.length === 0)
    throw new Error('There is nothing to check: no Parley has started on this database.')
  const missing = (await listMigrations()).some((name) => !applied.includes(name))
  if (missing || (await isOfOldLayout(applied)))
    throw new Error(
      'The tables are those of another version. Start this Parley on the database first, so that it brings them up to date.',
    )
}

async function findSizes({ query }: Session): Promise<Map<string, number>> {
  const rows = await query<{ name: string; size: number }>(
    `select relname as name, pg_table_size(oid)::float8 as size from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
  )
  return new Map(rows.map(({ name, size }) => [name, size]))
}
