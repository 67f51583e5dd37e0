// The command `status` says whether the service answers, what its database holds, and what both depend on.

import project from '../../package.json' with { type: 'json' }
import { savedAddress } from '../config/saved-address.ts'
import { type Config, isLocal } from '../config/settings.ts'
import { problemOfClamd } from '../files/clamd.ts'
import { findDisks, severalDisks } from '../files/disks.ts'
import { openFileStore } from '../files/open.ts'
import { readLayout } from '../db/layout.ts'
import { measureDisk } from '../db/embedded/reserve.ts'
import { findRunning } from '../db/embedded/start.ts'
import { appliedMigrations, listMigrations } from '../db/migrate.ts'
import { endOfLog, openReplayed } from '../db/replayed.ts'
import { openSession } from '../db/session.ts'
import { countJobs, type WaitingJobs } from '../jobs/queue.ts'
import { bytes } from '../lib/amounts.ts'
import * as store from './store.ts'
import { linesOf, type Result, timeOf } from './terminal.ts'

type Line = [name: string, value: string]

/**
 * A database that is not there is a fault, and so are a disk without room and a store of files that is away. A standby is none: the
 * primary is read without it.
 */
export async function status(config: Config): Promise<Result> {
  const service = await askService(config)
  const url = config.databaseUrl ?? (await findRunning(config.dataDir))
  const database =
    url === undefined
      ? { error: `No database runs in DATA_DIR ${config.dataDir}: the service is not started there.` }
      : await askDatabase(url).catch((error: Error) => ({ error: error.message }))
  const scanner =
    config.clamdUrl === undefined ? undefined : { problem: (await problemOfClamd(config.clamdUrl)) ?? null }
  const address = askAddress(config)
  const disk = await askDisk(config)
  const files = await askFiles(config, 'error' in database ? undefined : database.disks)
  const standby =
    url === undefined || config.readDatabaseUrl === undefined
      ? undefined
      : await askStandby(url, config.readDatabaseUrl).catch((error: Error) => ({ error: error.message }))
  return {
    text: linesOf([
      ['program', project.version],
      ['service', wordsOf(service)],
      ['address', [address.publicUrl, address.warning].filter(Boolean).join(': ')],
      ...wordsOfDatabase(database),
      ...(disk ? [['disk', wordsOfDisk(disk)] satisfies Line] : []),
      ...(files ? [['files', files.problem ?? `in ${files.store}`] satisfies Line] : []),
      ...(scanner ? [['scanner', scanner.problem ?? 'answers'] satisfies Line] : []),
      ...(standby ? [['standby', wordsOfStandby(standby)] satisfies Line] : []),
    ]),
    data: {
      version: project.version,
      service,
      address,
      database,
      disk: disk ?? null,
      files: files ?? null,
      scanner: scanner ?? null,
      standby: standby ?? null,
    },
    hasFaults:
      'error' in database || !service.isReady || disk?.isShort === true || (files?.problem ?? null) !== null,
  }
}

function wordsOfDatabase(database: Awaited<ReturnType<typeof askDatabase>> | { error: string }): Line[] {
  if ('error' in database) return [['database', database.error]]
  const { kind, server, layout, rows, jobs } = database
  return [
    [
      'database',
      `PostgreSQL ${server.version}, ${kind}${server.is_standby ? ', a standby' : ''}, ${bytes(server.size)}`,
    ],
    ['tables', wordsOfLayout(layout)],
    ...rows.map(({ name, rows: about }): Line => [
      name,
      about === null ? 'not counted yet' : `about ${about.toLocaleString('en')}`,
    ]),
    ...wordsOfJobs(jobs),
    ['events', `kept since ${timeOf(server.oldest_event_ms)}`],
  ]
}

/** Returns a line for each task. */
const wordsOfJobs = (jobs: WaitingJobs[]): Line[] =>
  jobs.length === 0
    ? [['jobs', 'none waits']]
    : jobs.map(({ task, due, failed, oldest }) => [
        `jobs: ${task}`,
        `${due} due, ${failed} failed and waiting${oldest ? `, the oldest since ${timeOf(oldest.getTime())}` : ''}`,
      ])

const wordsOfLayout = ({ pending, later }: { pending: string[]; later: string[] }) =>
  pending.length > 0
    ? `${pending.join(', ')} will be applied at the next start`
    : later.length > 0
      ? `of a later release, which has applied ${later.join(', ')}`
      : 'up to date'

const wordsOf = ({ url, isUp, isReady }: Awaited<ReturnType<typeof askService>>) =>
  isReady
    ? `ready at ${url}`
    : isUp
      ? `up at ${url}, but not ready: see its log`
      : `does not answer at ${url}`

const wordsOfDisk = ({ free, reserve, isShort }: { free: number; reserve: number; isShort: boolean }) =>
  `${bytes(free)} free, the reserve is ${bytes(reserve)}${isShort ? ': writes are refused, make room on the disk of DATA_DIR' : ''}`

function wordsOfStandby(standby: Awaited<ReturnType<typeof askStandby>> | { error: string }): string {
  if ('error' in standby) return `not read, the primary is: ${standby.error}`
  const { behind, seconds } = standby
  if (behind === 0) return 'shows all that the primary has'
  const shown = seconds === null ? '' : `, shows what was stored up to ${Math.round(seconds)} s ago`
  return `${bytes(behind)} of the log behind${shown}`
}

async function askService(config: Config) {
  const url = await savedAddress(config)
  const ask = (path: string) =>
    fetch(`${url}${path}`, { signal: AbortSignal.timeout(3_000) }).then(
      ({ ok }) => ok,
      () => false,
    )
  const [isUp, isReady] = await Promise.all([ask('/healthz'), ask('/readyz')])
  return { url, isUp, isReady }
}

const askAddress = ({ publicUrl, production }: Config) => ({
  publicUrl,
  warning:
    production && isLocal({ publicUrl })
      ? 'only this machine can open it. Set PUBLIC_URL to the address that people use'
      : null,
})

/** Reads the disk of the embedded database; a database elsewhere has its own monitoring. */
async function askDisk({ databaseUrl, dataDir, diskReserve }: Config) {
  if (databaseUrl !== undefined) return undefined
  const disk = await measureDisk(dataDir, diskReserve === undefined ? undefined : diskReserve * 2 ** 20)
  return disk && { ...disk, isShort: disk.free < disk.reserve }
}

const kinds = { machine: 'one machine', cluster: 'a cluster, of which this node has' }

/** Says where files of messages are, and what is wrong there; undefined where the service takes none. */
async function askFiles(config: Config, disks: string[] = []) {
  if (config.fileSize === 0) return undefined
  const at = config.s3Url === undefined ? 'DATA_DIR/files' : 'the bucket of S3_URL'
  const problem = await (await openFileStore(config)).problem()
  const several = config.s3Url === undefined ? severalDisks(disks) : undefined
  return { store: at, problem: problem ?? several ?? null }
}

async function askDatabase(url: string) {
  await using session = await openSession(url, 'parley status')
  const applied = await appliedMigrations(session.client)
  const known = await listMigrations()
  const layout = {
    applied: applied.length,
    pending: known.filter((name) => !applied.includes(name)),
    later: applied.filter((name) => !known.includes(name)),
  }
  if (applied.length === 0) throw new Error('The database is empty: no Parley has started on it.')
  const found = await readLayout(session.client)
  return {
    kind: kinds[found],
    server: await store.getServer(session),
    layout,
    rows: found === 'cluster' ? [] : await store.estimateRows(session),
    jobs: await countJobs({ query: session.query, now: Date.now }),
    disks: layout.pending.length === 0 ? await findDisks(session, Date.now()) : [],
  }
}

/** Returns the bytes of the primary's log that the standby has not replayed, and the age of the last commit that it shows. */
async function askStandby(primaryUrl: string, standbyUrl: string) {
  await using primary = await openSession(primaryUrl, 'parley status')
  await using standby = await openSession(standbyUrl, 'parley status')
  const end = await endOfLog(primary)
  const reached = await openReplayed(primaryUrl, () => {})(standby)
  const behind = Math.max(0, Number(end - reached))
  return { behind, seconds: behind === 0 ? 0 : await store.getAge(standby) }
}
