// This is the used part of a service worker's scope. TypeScript's library of pages has none of it.

/** These are the files of this build, and the first segments of paths that are not pages (vite.config.ts). */
declare const __BUILT__: { files: string[]; served: string[]; icon: string; badge: string }

const { served, ...shown } = __BUILT__
export const { files, icon, badge } = shown

interface Lasting extends Event {
  waitUntil: (work: Promise<unknown>) => void
}

export interface Fetching extends Lasting {
  request: Request
  /** The page that sends the request has this id. */
  clientId: string
  respondWith: (answer: Promise<Response>) => void
}

export interface Pushing extends Lasting {
  data: { json: () => unknown } | null
}

export interface Clicking extends Lasting {
  /** The button of the notification; empty for the notification itself. */
  action: string
  notification: Notification
}

export interface Resubscribing extends Lasting {
  oldSubscription?: PushSubscription | null
}

export interface Messaging extends Lasting {
  data: unknown
}

export interface Window {
  url: string
  focused: boolean
  visibilityState: string
  focus: () => Promise<Window>
  navigate: (url: string) => Promise<unknown>
  postMessage: (message: unknown, ports?: Transferable[]) => void
}

interface Handled {
  install: Lasting
  activate: Lasting
  fetch: Fetching
  push: Pushing
  notificationclick: Clicking
  pushsubscriptionchange: Resubscribing
  message: Messaging
}

interface Worker {
  skipWaiting: () => Promise<void>
  clients: {
    claim: () => Promise<void>
    get: (id: string) => Promise<Window | undefined>
    matchAll: (options: { type: 'window'; includeUncontrolled: true }) => Promise<Window[]>
    openWindow: (url: string) => Promise<unknown>
  }
  registration: ServiceWorkerRegistration
  addEventListener: <Type extends keyof Handled>(type: Type, handle: (event: Handled[Type]) => void) => void
}

export const worker = globalThis as unknown as Worker

/** Returns true when a path is that of a page of the client. */
export const isPage = (pathname: string): boolean => !served.includes(pathname.split('/')[1]!)

/** Returns the open pages of the client. */
export async function pages(): Promise<Window[]> {
  const all = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  return all.filter(({ url }) => isPage(new URL(url).pathname))
}

export const send = (page: Window, message: object): void => page.postMessage(message, [])

/** Queries a page, which may be of another build, or stopped. */
export async function ask(page: Window, message: object, milliseconds: number): Promise<unknown> {
  const { port1, port2 } = new MessageChannel()
  const answer = new Promise((resolve) => {
    port1.addEventListener('message', ({ data }) => resolve(data))
    setTimeout(() => resolve(undefined), milliseconds)
  })
  port1.start()
  page.postMessage(message, [port2])
  return answer.finally(() => port1.close())
}
