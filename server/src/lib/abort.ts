import { setTimeout as sleep } from 'node:timers/promises'

export const whenAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** Waits for some milliseconds, or until the signal is aborted. It does not keep the process alive. */
export const delay = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  sleep(milliseconds, undefined, { ref: false, ...(signal && { signal }) }).catch(() => {})
