import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'

/**
 * The signal is aborted, with the signal's name, at the first SIGINT or SIGTERM; at a second one the process ends at once. Two
 * within half a second count as one, because npm passes on a signal that the terminal has sent to both processes.
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
 * An unhandled rejection is logged: its request has ended. After an uncaught exception the state of
 * the process is unknown, so the process ends; everything that was acknowledged is in the database.
 */
export function endOnUnknownState(log: Logger): void {
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'an unhandled rejection'))
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'an uncaught exception: ending')
    process.exit(1)
  })
}

/**
 * Accepts no new connections, lets the requests under way end, and cuts off those that last longer than `seconds`. A connection
 * without a request is closed after `grace` milliseconds.
 */
export async function closeInTime(app: FastifyInstance, seconds: number, grace = 250): Promise<void> {
  const late = setTimeout(() => app.server.closeAllConnections(), seconds * 1000)
  // A connection that was busy at this moment would stay open for a next request. One that was
  // accepted a moment ago counts as idle, but its request is on its way.
  const closeIdle = app.server.closeIdleConnections.bind(app.server)
  app.server.closeIdleConnections = () => {}
  const idle = setInterval(closeIdle, grace)
  try {
    await app.close()
  } finally {
    clearTimeout(late)
    clearInterval(idle)
  }
}
