// This file has the session settings of every connection. A server, a database, a role, or `options` of DATABASE_URL may have
// other defaults, which would change the text of times, bytes or arrays, the isolation of a transaction, or end a waiting
// connection. So every connection sets them itself.

const ofEveryConnection: Record<string, string> = {
  datestyle: 'ISO,MDY',
  intervalstyle: 'postgres',
  timezone: 'UTC',
  bytea_output: 'hex',
  extra_float_digits: '1',
  standard_conforming_strings: 'on',
  array_nulls: 'on',
  default_transaction_isolation: 'read committed',
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  idle_session_timeout: '0',
}

/**
 * Returns where to connect, and with which settings. Those of the URL hold where the service has none. (The driver always
 * requests UTF-8.)
 */
export function connectionTo(
  address: string,
  settings: Record<string, string> = {},
): { connectionString: string; options: string } {
  const url = new URL(address)
  const own = url.searchParams.getAll('options')
  // The driver prefers the URL to its own options.
  if (own.length > 0) url.searchParams.delete('options')
  const named = Object.entries({ ...ofEveryConnection, ...settings }).map(
    ([name, value]) => `-c ${name}=${value.replaceAll(/[\\ ]/g, '\\$&')}`,
  )
  return {
    connectionString: own.length > 0 ? url.href : address,
    // When two settings have one name, the later one holds.
    options: [...own, ...named].join(' '),
  }
}
