// This file says what a failure of the database means to the caller.

/**
 * Says why the database did not run a statement. The statement had no effect, except with `away` and `silent`: then that is
 * unknown.
 */
export type DatabaseFailure = 'away' | 'moving' | 'silent' | 'busy' | 'locked' | 'slow' | 'full'

/** Makes a failure that the service itself found, with a code of PostgreSQL (SQLSTATE). */
export const databaseError = (code: string, message: string): Error =>
  Object.assign(new Error(message), { code })

/** Statements fail with this code while the database is being moved onto a cluster. */
export const beingMoved = 'PRLY1'

/** Returns undefined for failures that do not come from the database's state: a wrong statement, a violated constraint. */
export function databaseFailure({
  code = '',
  message,
}: Error & { code?: string }): DatabaseFailure | undefined {
  if (code === beingMoved) return 'moving'
  if (code === '53100') return 'full'
  if (code === '57014') return 'slow'
  // It is reported (silence.ts, query_timeout of the driver) when no response came long after the server's own limit. A commit that
  // waits for a standby does that, and no limit of the server ends it.
  if (message === 'Query read timeout') return 'silent'
  // A lock was not free in time, or two transactions waited for each other.
  if (/^(55P03|40...)$/.test(code)) return 'locked'
  // Memory or connections ran out, or the pool is full.
  if (code.startsWith('53') || /timeout exceeded when trying to connect/.test(message)) return 'busy'
  const away =
    // These are connection failures, shutdown and start-up, an idle transaction ended, a standby.
    /^(08...|57P..|25P03|25006)$/.test(code) ||
    /^(ECONN\w+|EPIPE|ENOENT|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN)$/.test(code) ||
    /connection terminated|timeout expired|encountered a connection error|not queryable/i.test(message)
  return away ? 'away' : undefined
}
