// The service worker: it keeps the files of the client, so that a reload without a connection shows the
// client with what waits to be sent, and shows what the service pushes (worker/push.ts). While the service
// answers, pages come from there: an update is taken at the next load. Answers of the interface are never
// kept by it, nor anything of a person. The build makes it one file that imports nothing.

import { closeRead, openNotification, showPush, subscribeAgain } from './worker/push.ts'
import { ask, files, isPage, pages, tell, type Told, worker } from './worker/scope.ts'

const shell = () => caches.open('shell')

/** The page as it is without an invitation. Of another build than this it would lack files. */
async function keepPage(): Promise<void> {
  const page = await fetch('/', { cache: 'no-cache' })
  const text = await page.clone().text()
  const isOfThisBuild = Array.from(text.matchAll(/"(\/assets\/[^"]+\.(?:js|css))"/g)).every(([, file]) =>
    files.includes(file!),
  )
  if (!page.ok || !isOfThisBuild) throw new Error('The page is not of this build')
  await (await shell()).put('/', page)
}

async function keepFiles(): Promise<void> {
  const cache = await shell()
  const kept = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname))
  await cache.addAll(files.filter((file) => !kept.has(file)))
  await keepPage()
}

/** Milliseconds in which a page says of which build it is. One that does not is of an older one. */
const patience = 3000

/** The open pages of other builds: they may still load files of theirs. */
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
  for (const page of others) tell(page, { type: 'outdated' })
}

/** A page has loaded. When it is of this build, pages of older ones may be gone since. */
async function cleanUp({ data }: Told): Promise<void> {
  const { installing, waiting } = worker.registration
  if (installing || waiting || !files.includes((data as { script: string }).script)) return
  if ((await otherPages()).length === 0) await deleteOthers()
}

// A header on which an answer depends differs between what reads and what has kept it.
const find = async (path: string) => (await shell()).match(path, { ignoreVary: true })

async function openPage(request: Request): Promise<Response> {
  // What another app shares is for the page alone.
  const isShare = new URL(request.url).pathname === '/share'
  const answer = await fetch(isShare ? '/' : request).catch(() => undefined)
  // A proxy answers for a service that is away.
  if (answer && answer.status < 500) return answer
  return (await find('/')) ?? answer ?? Response.error()
}

worker.addEventListener('install', (event) =>
  event.waitUntil(keepFiles().then(async () => worker.skipWaiting())),
)

// Requests wait until it is active, so pages are not asked before.
worker.addEventListener('activate', (event) => {
  event.waitUntil(worker.clients.claim())
  void takeOver().catch(() => {})
})

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (origin !== location.origin || request.method !== 'GET') return
  if (request.mode === 'navigate' && isPage(pathname)) {
    event.respondWith(openPage(request))
    // The settings that the service writes into the page may have changed.
    event.waitUntil(keepPage().catch(() => {}))
  } else if (pathname.startsWith('/assets/'))
    // Of this build, or of an older one of which a page is open.
    event.respondWith(find(pathname).then((kept) => kept ?? fetch(request)))
})

worker.addEventListener('push', (event) => event.waitUntil(showPush(event)))
worker.addEventListener('notificationclick', (event) => event.waitUntil(openNotification(event)))
worker.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(subscribeAgain(event)))

const answers: Record<string, (event: Told) => Promise<void>> = { read: closeRead, loaded: cleanUp }
worker.addEventListener('message', (event) => {
  const { type } = event.data as { type: string }
  event.waitUntil(answers[type]?.(event) ?? Promise.resolve())
})
