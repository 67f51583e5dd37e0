import type { Logger } from 'pino'
import { repeat } from '../lib/repeat.ts'
import type { Siblings } from './siblings.ts'

interface PolledMemory extends AsyncDisposable {
  /** Reads now. A failure is logged, and the next round retries. */
  refresh: () => Promise<void>
}

/**
 * Updates what an instance holds in memory: `read` is called every 1.5 s, or after other milliseconds, and when another process
 * of this machine has changed something. `what` names it in the log, where a failure appears once, until it has worked again.
 */
export function keepUp(
  what: string,
  log: Pick<Logger, 'warn'>,
  siblings: Siblings,
  read: () => Promise<void>,
  every = 1_500,
): PolledMemory {
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
  siblings.onQuestion('changed', refresh)
  const polling = repeat(every, refresh)
  return { refresh, [Symbol.asyncDispose]: () => polling[Symbol.asyncDispose]() }
}
