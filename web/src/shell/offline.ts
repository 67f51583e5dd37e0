import { reportLoaded, workerRegistration } from '../service/worker.ts'

/**
 * Makes the browser store the files of the client (worker.ts), so that it opens without a connection, and checks for an
 * update. It runs only for signed-in users: a visitor does not load what they may never need.
 */
export function keepForOffline(): void {
  // Browsers have service workers only when the page came by HTTPS. The development server sends the sources again each
  // time.
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  reportLoaded()
  navigator.serviceWorker.register('/worker.js').catch(() => {})
}

/** The service may have been updated while there was no connection to it. */
export async function lookForUpdate(): Promise<void> {
  await (await workerRegistration())?.update().catch(() => {})
}
