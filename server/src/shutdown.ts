import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'

/**
 * Aborted, with the signal's name, when the process is told to end; told again, it ends at once. Two within half a second
 * count as one, because npm passes on what a terminal has sent to both.
 */
export function stopSignal(): AbortSignal {
  const stop = new AbortController()
  let first = 0
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      if (!stop.signal.aborted) {
        first = performance.now()
        stop.abort(signal)
      } else if (performance.now() - first > 500) process.exit(1)
    })
  return stop.signal
}

/**
 * A promise whose failure nobody waited for is noted: what it belonged to has ended. After an exception that nobody caught
 * the state of the process is unknown, so it ends; what was acknowledged is in the database.
 */
export function endOnUnknownState(log: Logger): void {
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'a failure that nobody waited for'))
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'an exception that nobody caught: ending')
    process.exit(1)
  })
}

/** Takes no more connections, lets the requests under way end, and after so many seconds cuts off those that have not. */
export async function closeInTime(app: FastifyInstance, seconds: number): Promise<void> {
  const late = setTimeout(() => app.server.closeAllConnections(), seconds * 1000)
  // A connection that was busy when this began would be kept open for a next request.
  const idle = setInterval(() => app.server.closeIdleConnections(), 100)
  try {
    await app.close()
  } finally {
    clearTimeout(late)
    clearInterval(idle)
  }
}
