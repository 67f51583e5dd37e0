// The service worker (worker.ts), as the page and it talk to each other. It asks of which build the page
// is, has it open what a notification is about, and tells of what was pushed.

import { createStore, useStore } from '../ui/store.ts'

/** What the worker tells: something was pushed; an update is here; the subscription is another one. */
interface Told {
  pushed: { kind: string; path: string }
  outdated: unknown
  'subscription-changed': unknown
}

type Listeners = { [Type in keyof Told]: Set<(told: Told[Type]) => void> }

const listeners: Listeners = {
  pushed: new Set(),
  outdated: new Set(),
  'subscription-changed': new Set(),
}

/** Calls back when the worker tells something. Answers a function that ends that. */
export function onTold<Type extends keyof Told>(type: Type, listener: (told: Told[Type]) => void) {
  listeners[type].add(listener)
  return () => void listeners[type].delete(listener)
}

const opened = createStore<string | undefined>(undefined)

/** The path that a notification leads to, until it is taken. */
export const useOpened = (): string | undefined => useStore(opened)
export const takeOpened = (): void => opened.set(undefined)

/** The file that names all others of its build. */
const script = new URL(import.meta.url).pathname

const container = 'serviceWorker' in navigator ? navigator.serviceWorker : undefined

container?.addEventListener('message', ({ data, ports: [port] }) => {
  const { type } = data as { type: string }
  if (type === 'which') port?.postMessage(script)
  else if (type === 'open') {
    opened.set((data as { path: string }).path)
    port?.postMessage(true)
  } else if (type in listeners)
    for (const listener of listeners[type as 'pushed']) listener(data as Told['pushed'])
})

/** The worker, where there is one. Browsers have it only where the page came by HTTPS. */
export const workerRegistration = async (): Promise<ServiceWorkerRegistration | undefined> =>
  container?.getRegistration().catch(() => undefined)

async function tell(message: object): Promise<void> {
  ;(await workerRegistration())?.active?.postMessage(message)
}

/** Somebody has read what is at a path: what was notified of it goes. */
export const closeNotifications = (path: string): void => void tell({ type: 'read', path })

/** The page has loaded: files of builds before may go. */
export const tellLoaded = (): void => void tell({ type: 'loaded', script })
