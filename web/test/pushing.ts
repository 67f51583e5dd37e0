// Pushes as a push service delivers them, and what the service worker shows of them. Chromium without a
// screen never allows notifications: there they are kept in the worker in place of the system.

import type { Worker } from 'playwright-core'
import type { Person } from './person.ts'
import { eventually } from './person.ts'

interface Notice {
  title: string
  body: string
  tag: string
  silent: boolean
  renotify: boolean
  icon: string
  badge: string
  data: { path: string }
  actions?: { action: string; title: string }[]
  close: () => void
}

interface Scope {
  registration: {
    showNotification: (title: string, options: Partial<Notice>) => Promise<void>
    getNotifications: () => Promise<Notice[]>
  }
  clients: { openWindow: (url: string) => Promise<null> }
  shown: Notice[]
  windows: string[]
  badges: number[]
}

/** Has the worker keep what it shows. */
async function standIn(worker: Worker): Promise<void> {
  await worker.evaluate(() => {
    const scope = globalThis as unknown as Scope
    scope.shown = []
    scope.windows = []
    scope.badges = []
    scope.registration.showNotification = async (title, options) => {
      if (options.renotify && !options.tag) throw new TypeError('renotify needs a tag')
      const notice = { title, ...options } as Notice
      const leave = (gone: (one: Notice) => boolean) =>
        (scope.shown = scope.shown.filter((one) => !gone(one)))
      notice.close = () => void leave((one) => one === notice)
      if (notice.tag) leave(({ tag }) => tag === notice.tag)
      scope.shown.push(notice)
    }
    // Without a screen there is no icon, and a worker that asks for a badge is ended.
    Object.assign(navigator, { setAppBadge: async (unread: number) => void scope.badges.push(unread) })
    Object.assign(navigator, { clearAppBadge: async () => void scope.badges.push(0) })
    scope.registration.getNotifications = async () => [...scope.shown]
    scope.clients.openWindow = async (url) => {
      scope.windows.push(url)
      return null
    }
  })
}

/** The worker of a person's browser, and how pushes come to it. */
export async function usePushes({ page, context, url }: Person) {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
    if (navigator.serviceWorker.controller) return
    await new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve))
  })
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
  await standIn(worker)
  const session = await context.newCDPSession(page)
  let registrationId = ''
  session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    registrationId = registrations[0]?.registrationId ?? registrationId
  })
  await session.send('ServiceWorker.enable')
  await eventually(
    () => registrationId,
    (id) => {
      if (id === '') throw new Error('The worker is not registered')
    },
  )
  return {
    worker,
    /** Delivers a payload as it is. */
    deliver: async (data: string) =>
      session.send('ServiceWorker.deliverPushMessage', { origin: url, registrationId, data }),
    /** Delivers a payload as the service makes it. */
    push: async (payload: object) =>
      session.send('ServiceWorker.deliverPushMessage', {
        origin: url,
        registrationId,
        data: JSON.stringify({ v: 1, kind: 'dm', body: '', tag: '', at: Date.now(), ...payload }),
      }),
    shown: async () =>
      worker.evaluate(() =>
        (globalThis as unknown as Scope).shown.map(
          ({ title, body, tag, silent, renotify, icon, badge, data, actions = [] }) => ({
            title,
            body,
            tag,
            silent,
            renotify,
            icon,
            badge,
            data,
            buttons: actions.map(({ title: button }) => button),
          }),
        ),
      ),
    badges: async () => worker.evaluate(() => (globalThis as unknown as Scope).badges),
    /** The addresses of the windows that were opened. */
    windows: async () => worker.evaluate(() => (globalThis as unknown as Scope).windows),
    /** Chooses the first notification, or a button of it. Answers when the worker has done what follows. */
    click: async (button?: string) =>
      worker.evaluate(async (chosen) => {
        const event = new Event('notificationclick')
        const work: Promise<unknown>[] = []
        const [notification] = (globalThis as unknown as Scope).shown
        Object.assign(event, {
          notification,
          action: notification?.actions?.find(({ title }) => title === chosen)?.action ?? '',
          waitUntil: (one: Promise<unknown>) => work.push(one),
        })
        dispatchEvent(event)
        await Promise.all(work)
      }, button),
  }
}
