// The service worker stores the files of the client, so that a reload without a connection shows the client and its
// unsent messages. It also shows the push notifications of the service (worker/push.ts). While the service responds,
// pages come from there: an update takes effect at the next load. It answers the media elements of a page with what that
// page reads (worker/media.ts). It never stores responses of the interface or personal data. The build makes it one file that imports nothing.

import { answerMedia } from './worker/media.ts'
import { closeRead, openNotification, showPush, subscribeAgain } from './worker/push.ts'
import { takeShare } from './worker/share.ts'
import { ask, files, isPage, pages, send, type Messaging, worker } from './worker/scope.ts'

const shell = () => caches.open('shell')

/** Stores the page as it is without an invitation. A page of another build would lack files. */
async function keepPage(): Promise<void> {
  const page = await fetch('/', { cache: 'no-cache' })
  const text = await page.clone().text()
  const isOfThisBuild = Array.from(text.matchAll(/\/assets\/[^"\s]+\.(?:js|css)/g)).every(([file]) =>
    files.includes(file),
  )
  if (!page.ok || !isOfThisBuild) throw new Error('The page is not of this build')
  await (await shell()).put('/', page)
}

async function keepFiles(): Promise<void> {
  const cache = await shell()
  const cached = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname))
  await cache.addAll(files.filter((file) => !cached.has(file)))
  await keepPage()
}

/** A page has this many milliseconds to say which build it is from. A page that does not is from an older one. */
const patience = 3000

/** Returns the open pages of other builds: they may still load their files. */
async function otherPages() {
  const open = await pages()
  const scripts = await Promise.all(open.map(async (page) => ask(page, { type: 'which' }, patience)))
  return open.filter((_page, index) => !files.includes(scripts[index] as string))
}

async function deleteOthers(): Promise<void> {
  const cache = await shell()
  for (const request of await cache.keys()) {
    const { pathname } = new URL(request.url)
    if (pathname !== '/' && !files.includes(pathname)) await cache.delete(request)
  }
}

async function takeOver(): Promise<void> {
  await worker.clients.claim()
  const others = await otherPages()
  if (others.length === 0) await deleteOthers()
  for (const page of others) send(page, { type: 'outdated' })
}

/** A page has loaded. When it is from this build, pages of older builds may have closed since. */
async function cleanUp({ data }: Messaging): Promise<void> {
  const { installing, waiting } = worker.registration
  if (installing || waiting || !files.includes((data as { script: string }).script)) return
  if ((await otherPages()).length === 0) await deleteOthers()
}

// A header that a response varies by differs between the request that reads it and the one that stored it.
const find = async (path: string) => (await shell()).match(path, { ignoreVary: true })

async function openPage(request: Request): Promise<Response> {
  // Data that another app shares is for the page alone.
  const isShare = new URL(request.url).pathname === '/share'
  const answer = await fetch(isShare ? '/' : request).catch(() => undefined)
  // A proxy responds for a service that is away.
  if (answer && answer.status < 500) return answer
  return (await find('/')) ?? answer ?? Response.error()
}

worker.addEventListener('install', (event) =>
  event.waitUntil(keepFiles().then(async () => worker.skipWaiting())),
)

// Requests wait until the worker is active, so pages are not queried before.
worker.addEventListener('activate', (event) => {
  event.waitUntil(worker.clients.claim())
  void takeOver().catch(() => {})
})

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (origin !== location.origin) return
  if (request.method === 'POST' && pathname === '/share') return event.respondWith(takeShare(request))
  if (request.method !== 'GET') return
  if (request.mode === 'navigate' && isPage(pathname)) {
    event.respondWith(openPage(request))
    // The settings that the service writes into the page may have changed.
    event.waitUntil(keepPage().catch(() => {}))
  } else if (request.mode !== 'navigate' && pathname.startsWith('/media-of-page/'))
    event.respondWith(answerMedia(event))
  else if (pathname.startsWith('/assets/'))
    // The file is from this build, or from an older one that a page has open.
    event.respondWith(find(pathname).then((cached) => cached ?? fetch(request)))
})

worker.addEventListener('push', (event) => event.waitUntil(showPush(event)))
worker.addEventListener('notificationclick', (event) => event.waitUntil(openNotification(event)))
worker.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(subscribeAgain(event)))

const answers: Record<string, (event: Messaging) => Promise<void>> = { read: closeRead, loaded: cleanUp }
worker.addEventListener('message', (event) => {
  const { type } = event.data as { type: string }
  event.waitUntil(answers[type]?.(event) ?? Promise.resolve())
})
