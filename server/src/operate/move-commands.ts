// These commands move a chat from elsewhere to here, and from here to elsewhere: import, claim-code, export-chat.

import path from 'node:path'
import type { Config } from '../config/settings.ts'
import { secondsSince } from '../lib/amounts.ts'
import { showProgress } from '../lib/progress.ts'
import { changeClaim } from '../features/moving/commands.ts'
import { openFileStore } from '../files/open.ts'
import { openExisting } from './database.ts'
import { exportChat } from './export-chat.ts'
import { readPeople } from './import/people.ts'
import type { Kind } from './import/records.ts'
import { resultOf } from './import/report.ts'
import { runImport } from './import/run.ts'
import type { Result } from './terminal.ts'

export interface ImportChoices {
  from?: Kind
  into?: string
  owner?: string
  channel?: string[]
  people?: string
  dryRun?: boolean
}

/** Paths are relative to the folder in which npm was started. */
const fromHere = (file: string): string => path.resolve(process.env.INIT_CWD ?? '.', file)

export async function importChats(
  config: Config,
  file: string,
  { from, into, owner, channel = [], people, dryRun = false }: ImportChoices,
): Promise<Result> {
  const wallets = await readPeople(people === undefined ? undefined : fromHere(people))
  await using database = await openExisting(config)
  using bar = showProgress()
  const began = performance.now()
  const { chats, left } = await runImport({
    databaseUrl: database.url,
    config,
    from: fromHere(file),
    kind: from!,
    into: into!,
    owner,
    channels: channel,
    wallets,
    isDry: dryRun,
    onProgress: bar.onProgress,
  })
  return resultOf(chats, left, dryRun, secondsSince(began))
}

export async function makeClaim(
  config: Config,
  address: string,
  options: { days?: string; remove?: boolean },
): Promise<Result> {
  await using database = await openExisting(config)
  const { text, ...data } = await changeClaim(database.url, address, options)
  return { text, data: { address, ...data } }
}

export async function exportInto(config: Config, chat: string, { out }: { out?: string }): Promise<Result> {
  const file = fromHere(out ?? `${chat.toLowerCase().replaceAll('/', '-')}.zip`)
  await using database = await openExisting(config)
  using bar = showProgress()
  const counts = await exportChat({
    databaseUrl: database.url,
    fileStore: await openFileStore(config),
    nftaddr: chat,
    to: file,
    onProgress: bar.onProgress,
  })
  return {
    text: `${file}\n${counts.messages} messages, ${counts.files} files`,
    data: { file, ...counts },
  }
}
