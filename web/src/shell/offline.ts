import { tellLoaded, workerRegistration } from '../service/worker.ts'

/**
 * Has the browser keep the files of the client (worker.ts), so that it opens without a connection, and
 * looks whether there is an update. Only for who is signed in: a visitor is not made to load what they may
 * never need.
 */
export function keepForOffline(): void {
  // Browsers have service workers only where the page came by HTTPS. The sources are served anew each time.
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  tellLoaded()
  navigator.serviceWorker.register('/worker.js').catch(() => {})
}

/** The service may have been updated while there was no connection to it. */
export async function lookForUpdate(): Promise<void> {
  await (await workerRegistration())?.update().catch(() => {})
}
