import type { Logger } from 'pino'
import { repeat } from '../lib/repeat.ts'
import type { Siblings } from './siblings.ts'

const every = 1_500

interface KeptUp extends AsyncDisposable {
  /** Reads now. A failure is logged, and the next round tries again. */
  refresh: () => Promise<void>
}

/**
 * Keeps what an instance holds in memory up to date: `read` is called every 1.5 s, and when another process of this machine
 * has changed something. `what` names it in the log, where a failure is said once, until it has worked again.
 */
export function keepUp(
  what: string,
  log: Pick<Logger, 'warn'>,
  siblings: Siblings,
  read: () => Promise<void>,
): KeptUp {
  let failing = false
  const refresh = async () => {
    try {
      await read()
      failing = false
    } catch (error) {
      if (!failing) log.warn(`${what} on other instances cannot be read: ${(error as Error).message}`)
      failing = true
    }
  }
  siblings.onAsked('changed', refresh)
  const polling = repeat(every, refresh)
  return { refresh, [Symbol.asyncDispose]: () => polling[Symbol.asyncDispose]() }
}
