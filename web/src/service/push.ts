// This file handles push notifications to this browser: whether they are possible, and its subscription, which the
// service has for the wallet that has turned them on. A browser may change its subscription by itself, so it is
// compared each time a page opens.

import type { Client } from '@parley/sdk'
import { createStore, useStore } from '../state/store.ts'
import { client } from './api.ts'
import { onWorkerMessage, workerRegistration } from './worker.ts'

export type PushState =
  /** This browser has no push notifications, or the page came without HTTPS. */
  | 'unsupported'
  /** A phone takes push notifications only for apps on its home screen. */
  | 'needs-install'
  /** The user has refused them in the browser. */
  | 'denied'
  | 'off'
  | 'on'

interface StoredSubscription {
  wallet: string
  /** This identifies the subscription at the service. */
  id: string
  endpoint: string
  key: string
}

const entry = 'parley.push'
const read = (): StoredSubscription | undefined => {
  const text = localStorage.getItem(entry)
  return text === null ? undefined : (JSON.parse(text) as StoredSubscription)
}

const isPhoneOfApple = () => /iPhone|iPad|iPod/.test(navigator.userAgent) || isTabletOfApple()
const isTabletOfApple = () => /Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1
const isInstalled = () => matchMedia('(display-mode: standalone)').matches

function readState(wallet: string): PushState {
  const has = 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
  if (!has) return isPhoneOfApple() && !isInstalled() ? 'needs-install' : 'unsupported'
  if (Notification.permission === 'denied') return 'denied'
  return Notification.permission === 'granted' && read()?.wallet === wallet ? 'on' : 'off'
}

const changes = createStore(0)
const changed = () => changes.set(changes.get() + 1)

export function usePush(wallet: string): PushState {
  useStore(changes)
  return readState(wallet)
}

/** Returns the name of this browser in lists. */
function labelOf(): string {
  const { userAgent } = navigator
  const browser =
    ['Firefox', 'Edg', 'OPR', 'Chrome', 'Safari'].find((name) => userAgent.includes(name)) ?? 'Browser'
  const system = ['Android', 'iPhone', 'iPad', 'Windows', 'Macintosh', 'Linux'].find((name) =>
    userAgent.includes(name),
  )
  const names: Record<string, string> = { Edg: 'Edge', OPR: 'Opera', Macintosh: 'Mac' }
  return [names[browser] ?? browser, system && `on ${names[system] ?? system}`].filter(Boolean).join(' ')
}

const toText = (bytes: ArrayBuffer | null) =>
  bytes === null
    ? ''
    : btoa(String.fromCharCode(...new Uint8Array(bytes)))
        .replaceAll('+', '-')
        .replaceAll('/', '_')
        .replaceAll('=', '')

/** Subscribes this browser, and sends the subscription to the service. */
async function subscribe(wallet: string): Promise<void> {
  const registration = await workerRegistration()
  if (!registration) throw new Error('Reload the page to finish.')
  const { public_key: key } = await client.getPushKey()
  const before = await registration.pushManager.getSubscription()
  if (before && toText(before.options.applicationServerKey) !== key) await before.unsubscribe()
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: key,
  })
  const { endpoint, keys } = subscription.toJSON() as {
    endpoint: string
    keys: { p256dh: string; auth: string }
  }
  const known = read()
  if (known?.wallet === wallet && known.endpoint === endpoint && known.key === key) return
  // A browser that gets push notifications already needs no fresh sign-in when its endpoint has changed.
  const replaces = known?.wallet === wallet ? { replaces: known.endpoint } : {}
  const all = await client.putPushSubscription({ body: { endpoint, ...keys, label: labelOf(), ...replaces } })
  // This one was added last.
  localStorage.setItem(entry, JSON.stringify({ wallet, id: all.at(-1)!.id, endpoint, key }))
}

/** Requests the user's permission, and turns push notifications to this browser on. */
export async function turnOnPush(wallet: string): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') return changed()
  await subscribe(wallet)
  changed()
}

/** Turns them off: at the service first, which then stops sending. */
export async function turnOffPush(of: Pick<Client, 'deletePushSubscription'> = client): Promise<void> {
  const known = read()
  if (known) await of.deletePushSubscription({ session: known.id }).catch(() => {})
  localStorage.removeItem(entry)
  await (await (await workerRegistration())?.pushManager.getSubscription())?.unsubscribe().catch(() => false)
  changed()
}

/** The wallet has signed out: this browser no longer shows anything for it. */
export async function endPush(wallet: string, of: Pick<Client, 'deletePushSubscription'>): Promise<void> {
  if (read()?.wallet === wallet) await turnOffPush(of)
}

async function compareWithService(wallet: string): Promise<void> {
  if (readState(wallet) !== 'on') return
  const listed = await client.listPushSubscriptions()
  if (listed.some(({ id }) => id === read()?.id)) return subscribe(wallet)
  localStorage.removeItem(entry)
  changed()
}

/**
 * Keeps the subscription at the service equal to that of this browser. When the service no longer has one, push
 * notifications are off here.
 */
export function keepPush(wallet: string): () => void {
  const compare = () => void compareWithService(wallet).catch(() => {})
  compare()
  return onWorkerMessage('subscription-changed', compare)
}
