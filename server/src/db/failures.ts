// What a failure of the database means to whoever asked.

/** Why the database did not do what was asked; nothing of it was done, unless it is `away`: then that is not known. */
export type DatabaseFailure = 'away' | 'busy' | 'locked' | 'slow' | 'full'

/** A failure of our own making, with a code like those of PostgreSQL (SQLSTATE). */
export const databaseError = (code: string, message: string): Error =>
  Object.assign(new Error(message), { code })

/** Undefined for failures that are not the database's state: a wrong statement, a violated constraint. */
export function databaseFailure({
  code = '',
  message,
}: Error & { code?: string }): DatabaseFailure | undefined {
  if (code === '53100') return 'full'
  if (code === '57014') return 'slow'
  // A lock was not to be had in time, or two waited for each other.
  if (/^(55P03|40...)$/.test(code)) return 'locked'
  // Memory and connections; a pool without room.
  if (code.startsWith('53') || /timeout exceeded when trying to connect/.test(message)) return 'busy'
  const away =
    // Connection failures, shutdown and start-up, an idle transaction ended, a standby.
    /^(08...|57P..|25P03|25006)$/.test(code) ||
    /^(ECONN\w+|EPIPE|ENOENT|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN)$/.test(code) ||
    /connection terminated|timeout expired|encountered a connection error|not queryable/i.test(message)
  return away ? 'away' : undefined
}
