// Every connection of the service to PostgreSQL is made here. pg emits 'error' when a connection
// breaks while no query runs on it, and an 'error' that nobody listens to ends the process. A query
// on a broken connection fails by itself, so the listeners have nothing to do.

import pg from 'pg'

interface Options {
  url: string
  /** Shown in pg_stat_activity. */
  name: string
  /** Settings of the sessions, such as `{ lock_timeout: '5s' }`. */
  settings?: Record<string, string>
}

/** A connection that is not open yet. */
export const newClient = (options: Options & pg.ClientConfig): pg.Client =>
  new pg.Client(configOf(options)).on('error', () => {})

/**
 * A pool that has no connection yet. It replaces connections that break, and calls `onError` for
 * idle ones.
 */
export const newPool = (
  options: Options & pg.PoolConfig,
  onError: (error: Error) => void = () => {},
): pg.Pool =>
  new pg.Pool(configOf(options))
    .on('error', onError)
    .on('connect', (client) => void client.on('error', () => {}))

const configOf = <Config extends object>({ url, name, settings = {}, ...config }: Options & Config) => ({
  ...config,
  connectionString: url,
  application_name: name,
  options: Object.entries(settings)
    .map(([setting, value]) => `-c ${setting}=${value}`)
    .join(' '),
})
