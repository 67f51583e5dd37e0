// Every connection of the service to PostgreSQL is made here. pg emits 'error' when a connection
// breaks while no query runs on it, and an 'error' that nobody listens to ends the process. A query
// on a broken connection fails by itself, so the listeners have nothing to do.

import { Socket } from 'node:net'
import pg from 'pg'
import { databaseUrls } from '../values/database-urls.ts'
import { clientFor } from './hosts.ts'
import { socketOfWholeMessages } from './whole-messages.ts'
import { connectionTo } from './wire.ts'

// Ids stay far below 2^53, so they travel as numbers.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

interface Options {
  /** May name several hosts. */
  url: string
  /** Shown in pg_stat_activity. */
  name: string
  /** Settings of the sessions beside those of every connection (wire.ts), such as `{ lock_timeout: '5s' }`. */
  settings?: Record<string, string>
}

const ofRequests = {
  statement_timeout: '30s',
  lock_timeout: '2s',
  idle_in_transaction_session_timeout: '30s',
  // Every statement is prepared and short: one plan for all values, nothing compiled, no results kept
  // between rows. By default PostgreSQL plans statements with arrays again each time, because it
  // assumes ten elements: inboxes reach 1.84 times the rate with one plan.
  plan_cache_mode: 'force_generic_plan',
  jit: 'off',
  enable_memoize: 'off',
}

// A cluster plans by the values of a statement: they say which node it goes to. One plan for all
// values fails there, and can crash its coordinator. One connection to each node is enough, because
// most statements go to one.
const ofRequestsInCluster = {
  ...ofRequests,
  plan_cache_mode: 'auto',
  'citus.max_adaptive_executor_pool_size': '1',
}

/** The settings of sessions that answer requests. */
export const requestSettings = (isCluster: boolean): Record<string, string> =>
  isCluster ? ofRequestsInCluster : ofRequests

/** A connection that is not open yet. */
export const newClient = (options: Options & pg.ClientConfig): pg.Client =>
  new (clientFor(options.url))(configOf(options)).on('error', () => {})

/**
 * A pool that has no connection yet. It replaces connections that break, and calls `onError` for
 * idle ones.
 */
export const newPool = (
  options: Options & pg.PoolConfig,
  onError: (error: Error) => void = () => {},
): pg.Pool =>
  new pg.Pool({ Client: clientFor(options.url), stream: socketOf, ...configOf(options) })
    .on('error', onError)
    .on('connect', (client) => void client.on('error', () => {}))

/** With TLS the driver puts a socket of its own around this one. */
const socketOf = ({ ssl }: { ssl?: unknown } = {}) => (ssl ? new Socket() : socketOfWholeMessages())

const configOf = <Config extends object>({ url, name, settings = {}, ...config }: Options & Config) => ({
  ...config,
  ...connectionTo(databaseUrls(url)[0]!, settings),
  application_name: name,
})
