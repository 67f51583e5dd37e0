/**
 * Has the browser keep the files of the client (worker.ts), so that it opens without a connection.
 * Only for who is signed in: a visitor is not made to load what they may never need.
 */
export function keepForOffline(): void {
  // Browsers have service workers only where the page came by HTTPS. The sources are served anew each time.
  if (import.meta.env.PROD && 'serviceWorker' in navigator)
    navigator.serviceWorker.register('/worker.js').catch(() => {})
}
