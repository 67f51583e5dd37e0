// A request may wait until something has changed in the database, on whichever instance: it reads again several times a second.
// Requests that wait share their reads (db/coalesce.ts), and of one key only the last one waits.

import { setTimeout as sleep } from 'node:timers/promises'
import { longestWait } from '@parley/sdk/contract/handovers.ts'
import type { FastifyRequest } from 'fastify'

/** It reads again after this many milliseconds. */
const pause = 300

interface Wait {
  /** Of requests with the same key only the last one waits. */
  key: string
  request: FastifyRequest
  seconds?: number | undefined
}

export function createWaiting() {
  const waiting = new Map<string, AbortController>()

  /** Reads until there is news, the time is up, the caller is gone, or another request waits for the same. */
  return async <T>(
    { key, request, seconds = longestWait }: Wait,
    read: () => Promise<T>,
    isNews: (found: T) => boolean,
  ): Promise<T> => {
    waiting.get(key)?.abort()
    const stop = new AbortController()
    waiting.set(key, stop)
    const onClose = () => stop.abort()
    request.raw.once('close', onClose)
    const until = performance.now() + seconds * 1000
    try {
      for (;;) {
        const found = await read()
        if (isNews(found) || stop.signal.aborted || performance.now() > until) return found
        await sleep(pause, undefined, { signal: stop.signal }).catch(() => {})
      }
    } finally {
      request.raw.off('close', onClose)
      if (waiting.get(key) === stop) waiting.delete(key)
    }
  }
}
