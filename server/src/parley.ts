// `npm run parley`: what whoever runs the service does by hand.

import { stat } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import project from '../package.json' with { type: 'json' }
import { type Manifest, openArchive } from './backup/archive.ts'
import { backUp } from './backup/backup.ts'
import { restore, verify } from './backup/restore.ts'
import { moveOnAfterRecovery } from './backup/move-on.ts'
import { prepareSecret, requireSecret } from './backup/secret-file.ts'
import { check } from './check/check.ts'
import { reviewNames } from './check/names.ts'
import { type Config, readConfig } from './config/settings.ts'
import { cutTables } from './db/cut.ts'
import { distribute } from './db/distribute/distribute.ts'
import { fillCopies } from './messages/copies-upkeep.ts'
import { auditLog, changeOperators, printHeld } from './features/moderation/commands.ts'
import { bytes, secondsSince } from './lib/amounts.ts'
import { showProgress } from './lib/progress.ts'
import { given, openExisting, openNew } from './parley-database.ts'
import { usage } from './parley-usage.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    to: { type: 'string' },
    'with-secret': { type: 'boolean' },
    'dry-run': { type: 'boolean' },
    help: { type: 'boolean' },
  },
})
const [command, argument, address] = positionals
const commands: Record<string, () => Promise<string>> = {
  backup: () => runBackup(readConfig()),
  verify: () => runVerify(requireFile()),
  restore: () => runRestore(readConfig(), requireFile()),
  recovered: () => runRecovered(readConfig()),
  check: () => runCheck(readConfig()),
  names: () => runNames(readConfig()),
  operator: () => runOperator(readConfig()),
  audit: () => runAudit(readConfig()),
  held: () => runHeld(readConfig()),
  partition: () => runPartition(readConfig()),
  distribute: () => runDistribute(readConfig()),
}

const run = values.help || command === undefined ? undefined : commands[command]
if (run) {
  try {
    console.log(await run())
  } catch (error) {
    console.error((error as Error).message)
    process.exitCode = 1
  }
} else {
  console.log(usage)
  process.exitCode = values.help ? 0 : 2
}

async function runBackup(config: Config): Promise<string> {
  const name = `parley-${new Date().toISOString().replace(/[:.]/g, '-')}.zip`
  const to = fromHere(values.to ?? name)
  const secret = values['with-secret'] ? await requireSecret(config) : undefined
  await using database = await openExisting(config)
  using bar = showProgress()
  const began = performance.now()
  const manifest = await backUp({
    databaseUrl: database.url,
    version: project.version,
    to,
    secret,
    signal: stopSignal(),
    onProgress: bar.onProgress,
  })
  const { size } = await stat(to)
  return `${to}\n${summary(manifest, began)}, ${bytes(size)} on disk`
}

async function runVerify(file: string): Promise<string> {
  using bar = showProgress()
  const began = performance.now()
  const manifest = await verify(file, bar.onProgress)
  return `${file} is whole: the data as of ${manifest.created_at}\n${summary(manifest, began)}`
}

async function runRestore(config: Config, file: string): Promise<string> {
  // Before a database is created for it.
  await (await openArchive(file))[Symbol.asyncDispose]()
  const storeSecret = values['with-secret'] ? await prepareSecret(config, file) : async () => {}
  await using database = await openNew(config)
  using bar = showProgress()
  const began = performance.now()
  const manifest = await restore({ databaseUrl: database.url, file, onProgress: bar.onProgress })
  await storeSecret()
  return `Restored the data as of ${manifest.created_at}. Start the service now.\n${summary(manifest, began)}`
}

async function runRecovered(config: Config): Promise<string> {
  await using database = await openExisting(config)
  await moveOnAfterRecovery(database.url)
  return 'New ids are far above the restored ones, and clients will read everything again. Start the service now.'
}

async function runCheck(config: Config): Promise<string> {
  await using database = await openExisting(config)
  using bar = showProgress()
  const began = performance.now()
  const { tables, faults } = await check({
    databaseUrl: database.url,
    onProgress: bar.onProgress,
    onFault({ row, wrong }) {
      bar[Symbol.dispose]()
      console.log(`${row}: ${wrong.join('; ')}`)
    },
  })
  if (faults > 0) process.exitCode = 1
  const result =
    faults === 0 ? 'nothing is wrong' : faults === 1 ? '1 row is wrong' : `${faults} rows are wrong`
  return `${tables} tables checked in ${secondsSince(began)} s: ${result}`
}

async function runNames(config: Config): Promise<string> {
  await using database = await openExisting(config)
  const { read, marked } = await reviewNames(database.url, ({ what, name, owner, why }) =>
    console.log(`${what} ${JSON.stringify(name)} of ${owner}: ${why}`),
  )
  return `${read} names read, ${marked} of them would be refused today`
}

async function runOperator(config: Config): Promise<string> {
  await using database = await openExisting(config)
  return changeOperators(database.url, argument, address)
}

async function runAudit(config: Config): Promise<string> {
  await using database = await openExisting(config)
  using bar = showProgress()
  const { wrong, rows, hash } = await auditLog(database.url, argument, bar.onProgress)
  if (wrong) process.exitCode = 1
  return wrong
    ? `The log of operators is wrong: ${wrong}.`
    : `The log of operators is whole: ${rows} rows. Note the hash of the last one:\n${hash || 'none yet'}`
}

async function runHeld(config: Config): Promise<string> {
  await using database = await openExisting(config)
  return printHeld(database.url, argument, console.log)
}

async function runPartition(config: Config): Promise<string> {
  await using database = await openExisting(config)
  const done = await cutTables({ databaseUrl: database.url, log: console.error, signal: stopSignal() })
  return done.join('\n')
}

/** A rehearsal is a dry run with the address of a copy: that one is moved. */
async function runDistribute(config: Config): Promise<string> {
  const dryRun = values['dry-run'] ?? false
  if (argument !== undefined && (!dryRun || argument === config.databaseUrl))
    throw new Error(
      'Only --dry-run takes the address of a database: a restored copy, not that of the service.',
    )
  if (config.readDatabaseUrl !== undefined)
    throw new Error('A cluster has no standby to read from: unset READ_DATABASE_URL on all instances first.')
  await using database = argument === undefined ? await openExisting(config) : given(argument)
  using bar = showProgress()
  return distribute({
    databaseUrl: database.url,
    fillCopies,
    dryRun: dryRun && argument === undefined,
    log: console.error,
    onProgress: bar.onProgress,
    signal: stopSignal(),
  })
}

/** Aborted when the command is asked to end; it then undoes what it has begun. */
function stopSignal(): AbortSignal {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => stop.abort(new Error('Stopped. Nothing is changed.')))
  return stop.signal
}

function requireFile(): string {
  if (argument === undefined) throw new Error('Say which file: npm run parley -- restore parley-….zip')
  return fromHere(argument)
}

/** Paths are relative to the folder in which npm was started. */
function fromHere(file: string): string {
  return path.resolve(process.env.INIT_CWD ?? '.', file)
}

function summary({ tables }: Manifest, began: number): string {
  const all = Object.values(tables)
  const sum = (of: 'rows' | 'bytes') => all.reduce((total, table) => total + table[of], 0)
  return `${all.length} tables, ${sum('rows')} rows, ${bytes(sum('bytes'))} in ${secondsSince(began)} s`
}
