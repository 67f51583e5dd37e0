// Every connection of the service to PostgreSQL is made here. pg emits 'error' when a connection breaks while no query runs on
// it, and an 'error' without a listener ends the process. A query on a broken connection fails by itself, so the listeners have
// nothing to do.

import { Socket } from 'node:net'
import pg from 'pg'
import { databaseUrls } from '../values/database-urls.ts'
import { clientFor } from './hosts.ts'
import { endSilent } from './silence.ts'
import { socketOfWholeMessages } from './whole-messages.ts'
import { connectionTo } from './session-settings.ts'

// Ids stay far below 2^53, so they travel as numbers.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

interface Options {
  /** The URL may name several hosts. */
  url: string
  /** The name is shown in pg_stat_activity. */
  name: string
  /** The sessions have these settings beside those of every connection (wire.ts), such as `{ lock_timeout: '5s' }`. */
  settings?: Record<string, string>
}

/** Sessions that serve requests have these settings; a cluster changes some (cluster/layout.ts). */
export const settingsOfRequests: Record<string, string> = {
  statement_timeout: '30s',
  lock_timeout: '2s',
  idle_in_transaction_session_timeout: '30s',
  // Every statement is prepared and short: one plan serves all values, nothing is compiled, and results are not cached between
  // rows. By default PostgreSQL plans statements with arrays again each time, because it assumes ten elements: inboxes reach 1.84
  // times the rate with one plan.
  plan_cache_mode: 'force_generic_plan',
  jit: 'off',
  enable_memoize: 'off',
}

/** Makes a connection that is not open yet. */
export const newClient = (options: Options & pg.ClientConfig): pg.Client =>
  new (clientFor(options.url))(configOf(options)).on('error', () => {})

interface PoolOptions extends Options, pg.PoolConfig {
  /** A statement fails after this many milliseconds without a response; never when left out. */
  patience?: number
}

/** Makes a pool without connections yet. It replaces connections that break, and calls `onError` for idle ones. */
export function newPool(
  { patience, ...options }: PoolOptions,
  onError: (error: Error) => void = () => {},
): pg.Pool {
  const pool = new pg.Pool({ Client: clientFor(options.url), stream: socketOf, ...configOf(options) })
    .on('error', onError)
    .on('connect', (client) => void client.on('error', () => {}))
  if (patience !== undefined) endSilent(pool, patience)
  return pool
}

/** With TLS the driver puts a socket of its own around this one. */
const socketOf = ({ ssl }: { ssl?: unknown } = {}) => (ssl ? new Socket() : socketOfWholeMessages())

const configOf = <Config extends object>({ url, name, settings = {}, ...config }: Options & Config) => ({
  ...config,
  ...connectionTo(databaseUrls(url)[0]!, settings),
  application_name: name,
})
