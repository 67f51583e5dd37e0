// This is the log. Secrets, tokens, signatures, codes, messages, addresses and names never reach it: requests are logged by the
// pattern of their route, and errors by fields that hold no values of requests.

import { type DestinationStream, type Logger, pino } from 'pino'

/** Writes JSON lines, to standard output by default. */
export const createLog = (level: string, destination?: DestinationStream): Logger =>
  pino({ level, serializers: { err: describeError } }, destination as DestinationStream)

interface ErrorFields {
  type: string
  code?: string
  message: string
  stack?: string
  cause?: ErrorFields
}

function describeError(error: unknown): ErrorFields {
  if (!(error instanceof Error)) return { type: typeof error, message: 'not an error' }
  const { code } = error as { code?: unknown }
  const frames = error.stack?.split('\n').filter((line) => line.startsWith('    at '))
  return {
    type: error.name,
    ...(typeof code === 'string' && { code }),
    message: safeMessage(error),
    ...(frames && { stack: frames.join('\n') }),
    ...(error.cause !== undefined && { cause: describeError(error.cause) }),
  }
}

// Messages of these SQLSTATE classes contain no values: connection, state, rollback, syntax and names, resources, operator,
// system.
const silentClasses = /^(08|25|40|42|53|55|57|58)/

/** Returns the message of an error without values that it may quote: rows of the database, URLs of RPC nodes with their keys. */
export function safeMessage(error: Error): string {
  // This is an error of viem.
  if ('shortMessage' in error && typeof error.shortMessage === 'string') return error.shortMessage
  if ('severity' in error && 'code' in error) {
    const { code, table, constraint } = error as { code?: string; table?: string; constraint?: string }
    if (silentClasses.test(String(code))) return error.message
    return ['SQLSTATE', code, table && `on ${table}`, constraint && `by ${constraint}`]
      .filter(Boolean)
      .join(' ')
  }
  return error.message
}
