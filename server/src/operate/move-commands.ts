// These commands move a chat from elsewhere to here, and from here to elsewhere: import, export-chat.

import path from 'node:path'
import type { Config } from '../config/settings.ts'
import { secondsSince } from '../lib/amounts.ts'
import { showProgress } from '../lib/progress.ts'
import { openExisting } from './database.ts'
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
