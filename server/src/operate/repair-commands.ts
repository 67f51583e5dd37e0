// These commands repair: migrate, retry-jobs, reindex, rotate-secret.

import { randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config/settings.ts'
import { appliedMigrations, listMigrations } from '../db/migrate.ts'
import { openSession } from '../db/session.ts'
import { migrateAll } from '../jobs/migrate.ts'
import { findFailedJobs, retryJobs } from '../jobs/queue.ts'
import type { OnProgress } from '../lib/progress.ts'
import { openExisting } from './database.ts'
import { confirm, type Result } from './terminal.ts'

interface Sure {
  yes?: boolean
}

/** Brings the tables up to date, as the start of a service does. */
export async function migrate(config: Config, { dryRun }: { dryRun?: boolean }): Promise<Result> {
  await using database = await openExisting(config)
  await using session = await openSession(database.url, 'parley migrate')
  const applied = await appliedMigrations(session.client)
  const pending = (await listMigrations()).filter((name) => !applied.includes(name))
  const names = pending.join(', ')
  if (pending.length === 0) return { text: 'The tables are up to date.', data: { pending, isDone: true } }
  if (dryRun) return { text: `To be applied: ${names}`, data: { pending, isDone: false } }
  await migrateAll(database.url)
  return { text: `Applied: ${names}`, data: { pending, isDone: true } }
}

/** Lists the jobs that have failed and wait, or lets them be done now. */
export async function retry(
  config: Config,
  task: string | undefined,
  { yes, list }: Sure & { list?: boolean },
): Promise<Result> {
  await using database = await openExisting(config)
  await using session = await openSession(database.url, 'parley retry-jobs')
  const chosen = await findFailedJobs(session, task)
  const lines = chosen.map(
    ({ id, task: name, attempts, run_at }) =>
      `${id} ${name}: ${attempts} tries, next at ${run_at.toISOString()}`,
  )
  if (chosen.length === 0)
    return {
      text: `No job${task === undefined ? '' : ` of ${task}`} has failed.`,
      data: { jobs: [], retried: 0 },
    }
  if (list) return { text: lines.join('\n'), data: { jobs: chosen, retried: 0 } }
  console.error(lines.join('\n'))
  await confirm(`${chosen.length} of these jobs will be done again now; mails may go out.`, yes)
  const retried = await retryJobs(
    session,
    chosen.map(({ id }) => id),
  )
  return { text: `${retried} jobs will be done now.`, data: { jobs: chosen, retried } }
}

/** When the index does not grow for so many milliseconds, no service makes it. */
const patience = 15_000

/** Empties the index of searches, and waits while the service makes it again. */
export async function reindex(config: Config, { yes }: Sure, onProgress: OnProgress): Promise<Result> {
  await using database = await openExisting(config)
  await using session = await openSession(database.url, 'parley reindex')
  await confirm(
    config.search
      ? 'The index of searches is made again: until it is there, searches find new messages alone.'
      : 'The index of searches is deleted.',
    yes,
  )
  await session.query('begin')
  await session.query(`select id from log_readers where name = 'search' for update`)
  await session.query('truncate search_direct, search_posts, search_gone')
  await session.query(`update log_readers set id = 0, seen_id = 0, seen_xid = 0 where name = 'search'`)
  await session.query('commit')
  if (!config.search) return { text: 'The index of searches is deleted.', data: { indexed: 0, isDone: true } }
  const [newest] = await session.query<{ id: string }>(`
    select greatest((select max(id) from direct_messages), (select max(id) from group_messages), 0) as id`)
  const total = Number(newest!.id)
  let [indexed, moved] = [0, Date.now()]
  while (indexed < total && Date.now() - moved < patience) {
    await sleep(250)
    const [at] = await session.query<{ id: string }>(`select id from log_readers where name = 'search'`)
    if (Number(at!.id) > indexed) moved = Date.now()
    indexed = Number(at!.id)
    onProgress('messages', indexed, total)
  }
  const isDone = indexed >= total
  return {
    text: isDone ? 'The index of searches is made.' : 'The index is empty. A service makes it while it runs.',
    data: { indexed, isDone },
  }
}

/** Makes a new DATA_DIR/jwt-secret. The service still accepts the one before, unless it has leaked. */
export async function rotateSecret(
  config: Config,
  { yes, leaked }: Sure & { leaked?: boolean },
): Promise<Result> {
  if (config.jwtSecret !== undefined)
    throw new Error(
      'The secret is in JWT_SECRET: set a new one there, and move the current one to JWT_SECRET_PREVIOUS, on every instance.',
    )
  const file = path.join(config.dataDir, 'jwt-secret')
  const before = await readFile(file, 'utf8').catch(() => {
    throw new Error(`There is no secret in ${file}. Set DATA_DIR, or start the service once.`)
  })
  const isSecond = (await readFile(`${file}.previous`, 'utf8').catch(() => '')) !== ''
  await confirm(
    leaked
      ? 'A new secret is made, and everybody is signed out.'
      : `A new secret is made. Tokens of the one before stay valid for as long as jwt-secret.previous is there${isSecond ? '; it is there now, and tokens of the secret in it end' : ''}.`,
    yes,
  )
  // Each file is complete at any moment.
  await replace(`${file}.previous`, leaked ? '' : before)
  await replace(file, randomBytes(32).toString('hex'))
  const text = leaked
    ? `${file} is new. Start the service again: everybody signs in again.`
    : `${file} is new, and ${file}.previous has the one before. Start the service again, and delete that file after a day.`
  return { text, data: { file, keepsPrevious: !leaked } }
}

async function replace(file: string, text: string): Promise<void> {
  const draft = `${file}.${process.pid}`
  await writeFile(draft, text, { mode: 0o600, flush: true })
  await rename(draft, file)
}
