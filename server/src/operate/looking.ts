// Commands that look and change nothing: status, wallet, chat.

import project from '../../package.json' with { type: 'json' }
import { chatKey } from '../messages/chat-key.ts'
import type { Config } from '../config/settings.ts'
import { readIsCluster } from '../db/cluster.ts'
import { findRunning } from '../db/embedded/start.ts'
import { appliedMigrations, listMigrations } from '../db/migrate.ts'
import { openSession, type Session } from '../db/session.ts'
import { countJobs, type WaitingJobs } from '../jobs/queue.ts'
import { bytes } from '../lib/amounts.ts'
import { canonicalAddress, isEvmAddress } from '../values/formats.ts'
import { openExisting } from './database.ts'
import * as store from './store.ts'
import { linesOf, type Result, timeOf } from './terminal.ts'

/** Whether the service answers, and what its database says of itself. A database that is not there is a fault. */
export async function status(config: Config): Promise<Result> {
  const service = await askService(config)
  const url = config.databaseUrl ?? (await findRunning(config.dataDir))
  const database =
    url === undefined
      ? { error: `No database runs in DATA_DIR ${config.dataDir}: the service is not started there.` }
      : await askDatabase(url).catch((error: Error) => ({ error: error.message }))
  const data = { version: project.version, service, database }
  if ('error' in database)
    return {
      text: linesOf([
        ['service', wordsOf(service)],
        ['database', database.error],
      ]),
      data,
      hasFaults: true,
    }
  const { server, layout, rows, jobs } = database
  return {
    text: linesOf([
      ['program', project.version],
      ['service', wordsOf(service)],
      [
        'database',
        `PostgreSQL ${server.version}, ${database.kind}${server.is_standby ? ', a standby' : ''}, ${bytes(server.size)}`,
      ],
      ['tables', wordsOfLayout(layout)],
      ...rows.map(({ name, rows: about }): [string, string] => [name, `about ${about.toLocaleString('en')}`]),
      ...wordsOfJobs(jobs),
      ['events', `kept since ${timeOf(server.oldest_event_ms)}`],
    ]),
    data,
    hasFaults: !service.isReady,
  }
}

/** A line for each task. */
const wordsOfJobs = (jobs: WaitingJobs[]): [string, string][] =>
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

async function askService({ host, port }: Config) {
  const url = `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${port}`
  const ask = (path: string) =>
    fetch(`${url}${path}`, { signal: AbortSignal.timeout(3_000) }).then(
      ({ ok }) => ok,
      () => false,
    )
  const [isUp, isReady] = await Promise.all([ask('/healthz'), ask('/readyz')])
  return { url, isUp, isReady }
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
  const isCluster = await readIsCluster(session.client)
  return {
    kind: isCluster ? 'a cluster, of which this node has' : 'one machine',
    server: await store.getServer(session),
    layout,
    rows: isCluster ? [] : await store.estimateRows(session),
    jobs: await countJobs({ query: session.query, now: Date.now }),
  }
}

async function openRead(config: Config): Promise<Session & AsyncDisposable> {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await openExisting(config))
  const session = stack.use(await openSession(database.url, 'parley look'))
  const open = stack.move()
  return { ...session, [Symbol.asyncDispose]: () => open.disposeAsync() }
}

const wordsOfSanctions = (all: { kind: string; until_ms: number | null }[]) =>
  all
    .map(({ kind, until_ms }) => `${kind} ${until_ms === null ? 'for ever' : `until ${timeOf(until_ms)}`}`)
    .join(', ') || 'none'

export async function wallet(config: Config, given: string): Promise<Result> {
  const address = canonicalAddress(given)
  if (!isEvmAddress(address)) throw new Error('Say which wallet: 0x and 40 hexadecimal digits.')
  await using session = await openRead(config)
  const facts = await store.getWallet(session, address)
  const sanctions = await store.findSanctions(session, address)
  return {
    text: linesOf([
      ['wallet', address],
      ['first sign-in', timeOf(facts.first_ms)],
      ['name', facts.name ?? 'none'],
      [
        'conversations',
        `${facts.conversations}, ${facts.unread} messages unread, ${facts.requests} requests`,
      ],
      ['chats joined', String(facts.chats)],
      ['sessions', String(facts.sessions)],
      ['mails', facts.has_mail ? 'confirmed address' : 'none'],
      ['encryption', facts.encrypts ? 'set up' : 'not set up'],
      ['operator', facts.is_operator ? 'yes' : 'no'],
      ['sanctions', wordsOfSanctions(sanctions)],
    ]),
    data: { address, ...facts, sanctions },
  }
}

export async function chat(config: Config, given: string): Promise<Result> {
  const key = chatKey(given)
  await using session = await openRead(config)
  const facts = await store.getChat(session, key)
  if (!facts) throw new Error(`There is no chat ${given}: nobody has posted in it or joined it.`)
  const [roles, sanctions] = [await store.findRoles(session, key), await store.findSanctions(session, key)]
  return {
    text: linesOf([
      ['chat', `${facts.nftaddr} (${facts.kind})`],
      ['messages', `${facts.messages}, the last one ${timeOf(facts.last_ms)}`],
      ['members', String(facts.members)],
      ['moderated by', roles.map(({ walletaddr, role }) => `${walletaddr} (${role})`).join(', ') || 'nobody'],
      ['posts that wait', String(facts.waiting)],
      ['muted or banned', `${facts.restricted} wallets`],
      ['sanctions', wordsOfSanctions(sanctions)],
    ]),
    data: { ...facts, roles, sanctions },
  }
}
