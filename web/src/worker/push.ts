// The worker always shows something for a push, because a browser removes the permission of a site that does not. The
// content comes from the service, by way of the browser's maker, who cannot read it.

import {
  ask,
  badge as badgeIcon,
  type Clicking,
  icon,
  isPage,
  pages,
  type Pushing,
  type Resubscribing,
  send,
  type Messaging,
  worker,
} from './scope.ts'

/** This worker reads this version of the payload. */
const version = 1

interface Shown {
  kind: string
  title: string
  body: string
  tag: string
  /** The path is that of a page of this origin. */
  path: string
  badge: number | undefined
  at: number | undefined
  /** A POST to this path of the service ends notifications of this kind. */
  stop: string | undefined
}

/** This is shown for a payload that cannot be read. */
const something: Shown = {
  kind: 'unknown',
  title: 'New message',
  body: '',
  tag: 'parley',
  path: '/',
  badge: undefined,
  at: undefined,
  stop: undefined,
}

const text = (value: unknown) => (typeof value === 'string' ? value : '')
const count = (value: unknown) =>
  Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : undefined

/** Returns the path to open: of a page of this origin, else the inbox. */
function pathOf(url: unknown): string {
  try {
    const { origin, pathname, search, hash } = new URL(text(url), location.origin)
    if (origin === location.origin && isPage(pathname)) return pathname + search + hash
  } catch {
    // The inbox opens instead.
  }
  return '/'
}

/** Returns the path that ends notifications: one that the service serves for that alone. */
function stopOf(url: unknown): string | undefined {
  if (typeof url !== 'string' || !URL.canParse(url)) return undefined
  const { pathname } = new URL(url)
  return pathname.startsWith('/v1/unsubscribe/') ? pathname : undefined
}

function readPayload({ data }: Pushing): Shown {
  try {
    const sent = data?.json() as Record<string, unknown> | null | undefined
    const title = text(sent?.title)
    if (!sent || sent.v !== version || title.trim() === '') return something
    return {
      kind: text(sent.kind),
      title,
      body: text(sent.body),
      tag: text(sent.tag),
      path: pathOf(sent.url),
      badge: count(sent.badge),
      at: count(sent.at),
      stop: stopOf(sent.stop),
    }
  } catch {
    return something
  }
}

export async function showPush(event: Pushing): Promise<void> {
  const { kind, title, body, tag, path, badge, at, stop } = readPayload(event)
  const open = await pages().catch(() => [])
  const isLookedAt = open.some(
    ({ url, visibilityState }) => visibilityState === 'visible' && new URL(url).pathname === path,
  )
  // A reaction makes no sound, wherever one looks.
  const isSilent = isLookedAt || kind === 'reaction'
  const options = {
    body,
    tag,
    icon,
    badge: badgeIcon,
    data: { path, stop },
    ...(stop !== undefined && { actions: [{ action: 'stop', title: 'Stop announcements' }] }),
    silent: isSilent,
    // Without a tag, `renotify` is an error.
    renotify: tag !== '' && !isSilent,
    ...(at !== undefined && { timestamp: at }),
  }
  await worker.registration
    .showNotification(title, options)
    .catch(async () => worker.registration.showNotification(something.title, { data: { path } }))
  if (badge !== undefined) await showBadge(badge)
  for (const page of open) send(page, { type: 'pushed', kind, path })
}

/** Shows the number at the icon of the app, if it is installed. */
const showBadge = async (unread: number) =>
  (unread > 0 ? navigator.setAppBadge?.(unread) : navigator.clearAppBadge?.())?.catch(() => {})

/** Opens the page of a notification: in a window that is open, else in a new one. */
export async function openNotification({ notification, action }: Clicking): Promise<void> {
  notification.close()
  const { path, stop } = { path: '/', ...(notification.data as { path?: string; stop?: string } | null) }
  if (action === 'stop' && stop !== undefined) {
    await fetch(stop, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) })
    return
  }
  const open = await pages()
  const page = open.find(({ focused }) => focused) ?? open.find((one) => isVisible(one)) ?? open[0]
  if (!page) return void (await worker.clients.openWindow(path))
  // Some browsers do not allow it.
  await page.focus().catch(() => {})
  if (await ask(page, { type: 'open', path }, 2000)) return
  await page.navigate(path).catch(async () => worker.clients.openWindow(path))
}

const isVisible = ({ visibilityState }: { visibilityState: string }) => visibilityState === 'visible'

/** Closes notifications about a page that somebody has read. */
export async function closeRead({ data }: Messaging): Promise<void> {
  const { path } = data as { path: string }
  for (const notification of await worker.registration.getNotifications()) {
    const shown = (notification.data as { path?: string } | null)?.path ?? '/'
    if (isSamePage(shown, path)) notification.close()
  }
}

const isSamePage = (one: string, other: string) => plain(one) === plain(other)

/** Returns a path in one form: names of chats differ in their letters' case, and in how they are escaped. */
function plain(path: string): string {
  const { pathname } = new URL(path, location.origin)
  try {
    return decodeURIComponent(pathname).toLowerCase()
  } catch {
    return pathname.toLowerCase()
  }
}

/** The browser has ended the subscription. A page sends the new one to the service, now or when it is opened. */
export async function subscribeAgain({ oldSubscription }: Resubscribing): Promise<void> {
  const key = oldSubscription?.options.applicationServerKey
  if (key)
    await worker.registration.pushManager
      .subscribe({ userVisibleOnly: true, applicationServerKey: key })
      .catch(() => {})
  for (const page of await pages()) send(page, { type: 'subscription-changed' })
}
