// The page and the service worker (worker.ts) communicate here. The worker queries which build the page is from, opens
// the page of a notification, reports what was pushed, and asks for the bytes that a media element plays.

import { createStore, useStore } from '../state/store.ts'

/** The worker sends these: something was pushed; an update is here; the subscription has changed. */
interface WorkerMessages {
  pushed: { kind: string; path: string }
  outdated: unknown
  'subscription-changed': unknown
}

type Listeners = { [Type in keyof WorkerMessages]: Set<(message: WorkerMessages[Type]) => void> }

const listeners: Listeners = {
  pushed: new Set(),
  outdated: new Set(),
  'subscription-changed': new Set(),
}

/** Calls back when the worker sends such a message. Returns a function that ends that. */
export function onWorkerMessage<Type extends keyof WorkerMessages>(
  type: Type,
  listener: (message: WorkerMessages[Type]) => void,
) {
  listeners[type].add(listener)
  return () => void listeners[type].delete(listener)
}

const opened = createStore<string | undefined>(undefined)

/** Returns the path that a notification leads to, until it is taken. */
export const useOpened = (): string | undefined => useStore(opened)
export const takeOpened = (): void => opened.set(undefined)

/** The worker asks for bytes of a file that this page plays; the answer goes to the port. */
export interface MediaQuestion {
  id: string
  start: number
  end?: number
}

let answerMedia = (_question: MediaQuestion, port: MessagePort): void => port.postMessage(undefined)
export const onMediaQuestion = (answer: typeof answerMedia) => void (answerMedia = answer)

/** Returns true when the worker answers the requests of this page. After a load that passes by it, it does not. */
export const isControlled = (): boolean => (container?.controller ?? null) !== null

/** This file names all others of its build. */
const script = new URL(import.meta.url).pathname

const container = 'serviceWorker' in navigator ? navigator.serviceWorker : undefined

container?.addEventListener('message', ({ data, ports: [port] }) => {
  const { type } = data as { type: string }
  if (type === 'which') port?.postMessage(script)
  else if (type === 'open') {
    opened.set((data as { path: string }).path)
    port?.postMessage(true)
  } else if (type === 'media' && port) answerMedia(data as MediaQuestion, port)
  else if (type in listeners)
    for (const listener of listeners[type as 'pushed']) listener(data as WorkerMessages['pushed'])
})

/** Returns the worker, if there is one. Browsers have it only when the page came by HTTPS. */
export const workerRegistration = async (): Promise<ServiceWorkerRegistration | undefined> =>
  container?.getRegistration().catch(() => undefined)

async function send(message: object): Promise<void> {
  ;(await workerRegistration())?.active?.postMessage(message)
}

/** Somebody has read the page at a path: its notifications close. */
export const closeNotifications = (path: string): void => void send({ type: 'read', path })

/** The page has loaded: files of earlier builds may be deleted. */
export const reportLoaded = (): void => void send({ type: 'loaded', script })
