// The service worker: it keeps the files of the client, so that a reload without a connection shows the
// client with what waits to be sent. While the service answers, pages come from there: an update is
// taken at the next load. Answers of the interface are never kept, nor anything of a person. It is a
// script of its own and imports nothing.

/** The files of this build, and the first segments of paths that are not pages (vite.config.ts). */
declare const __BUILT__: { files: string[]; served: string[] }

interface Lasting extends Event {
  waitUntil: (work: Promise<unknown>) => void
}

interface Fetching extends Lasting {
  request: Request
  respondWith: (answer: Promise<Response>) => void
}

interface Worker {
  skipWaiting: () => Promise<void>
  clients: { claim: () => Promise<void> }
  addEventListener: ((type: 'install' | 'activate', handle: (event: Lasting) => void) => void) &
    ((type: 'fetch', handle: (event: Fetching) => void) => void)
}

const worker = globalThis as unknown as Worker
const { files, served } = __BUILT__
const shell = () => caches.open('shell')

/** The page as it is without an invitation. Of another build than this it would lack files. */
async function keepPage(): Promise<void> {
  const page = await fetch('/', { cache: 'no-cache' })
  const text = await page.clone().text()
  const isOfThisBuild = Array.from(text.matchAll(/"(\/assets\/[^"]+)"/g)).every(([, file]) =>
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

async function deleteOthers(): Promise<void> {
  const cache = await shell()
  for (const request of await cache.keys()) {
    const { pathname } = new URL(request.url)
    if (pathname !== '/' && !files.includes(pathname)) await cache.delete(request)
  }
}

// A header on which an answer depends differs between what reads and what has kept it.
const find = async (path: string) => (await shell()).match(path, { ignoreVary: true })

async function openPage(request: Request): Promise<Response> {
  const answer = await fetch(request).catch(() => undefined)
  // A proxy answers for a service that is away.
  if (answer && answer.status < 500) return answer
  return (await find('/')) ?? answer ?? Response.error()
}

worker.addEventListener('install', (event) =>
  event.waitUntil(keepFiles().then(async () => worker.skipWaiting())),
)

worker.addEventListener('activate', (event) =>
  event.waitUntil(deleteOthers().then(async () => worker.clients.claim())),
)

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (origin !== location.origin || request.method !== 'GET') return
  if (request.mode === 'navigate' && !served.includes(pathname.split('/')[1]!)) {
    event.respondWith(openPage(request))
    // The settings that the service writes into the page may have changed.
    event.waitUntil(keepPage().catch(() => {}))
  } else if (files.includes(pathname))
    event.respondWith(find(pathname).then((kept) => kept ?? fetch(request)))
})
