// Serves the web client: the files that `npm start` has built from web/, at the root. Files have a hash of their content in their
// names, so browsers may cache them without end; the page itself is fetched each time. A navigation to any path that is not part
// of the interface gets the page, because the client has its own paths (/dm/0x…).

import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import fastifyStatic from '@fastify/static'
import type { Endpoint } from '@parley/sdk/contract/endpoint.ts'
import { contract } from '@parley/sdk/contract/index.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { serveEmbed } from './embed.ts'
import { type Invitation, type PageSettings, withInvitation, withSettings } from './page-meta.ts'
import { pageWith, policyOfClient } from './page-policy.ts'
import { pack } from './precompressed.ts'

/** The build of the web client is here. */
export const built = path.join(import.meta.dirname, '../../../web/dist')

const notBuilt =
  'The service runs. Its web client is not built: "npm start" builds it, or "npm run build -w web".\nThe docs are at /docs/index.html.\n'

/** This is what the pages show that people see without signing in. */
export interface Visits {
  /** Finds the invitation for the path of a page. */
  findInvitation: (pathname: string) => Promise<Invitation | undefined>
  /** Answers with the page of a chat that everybody may read; undefined where there is none. */
  showPublic: (
    request: FastifyRequest,
    reply: FastifyReply,
    pathname: string,
  ) => Promise<FastifyReply | undefined>
  /** Counts a request against a limit of its network address. */
  admit: (request: FastifyRequest, reply: FastifyReply, limit: 'static' | 'public-read') => void
}

/** Serves the web client from a folder of built files; without them the root says how to build them. */
export async function serveWeb(
  app: FastifyInstance,
  config: PageSettings,
  visits: Visits,
  folder = built,
): Promise<void> {
  const open = await serveClient(app, config, visits, folder)
  app.get('/*', open)
  // Whether a chat is open to everybody or not, its visitors count the same.
  for (const url of ['/c/*', '/nft/*'])
    app.get(url, { config: { countsItself: true } }, async (request, reply) => {
      const isForClient = asksForClient(request)
      visits.admit(request, reply, isForClient ? 'static' : 'public-read')
      const shown = isForClient ? undefined : await visits.showPublic(request, reply, pathOf(request))
      return shown ?? open(request, reply)
    })
}

/** A page that everybody may read leads to the client with this. */
const asksForClient = ({ url }: FastifyRequest) => new URLSearchParams(url.split('?')[1] ?? '').has('app')

type Open = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | void>

/** Serves the files of the client. Returns what answers a request for a page. */
async function serveClient(
  app: FastifyInstance,
  config: PageSettings,
  { findInvitation }: Visits,
  folder: string,
): Promise<Open> {
  const index = path.join(folder, 'index.html')
  const text = existsSync(index) ? withSettings(readFileSync(index, 'utf8'), config) : undefined
  if (text === undefined)
    return async (request, reply) =>
      isNavigation(request) ? reply.type('text/plain; charset=utf-8').send(notBuilt) : reply.callNotFound()
  await app.register(fastifyStatic, {
    root: path.join(folder, 'assets'),
    prefix: '/assets/',
    decorateReply: false,
    // A route for each of some hundred files would be a third of what a start computes.
    wildcard: true,
    index: false,
    preCompressed: true,
    immutable: true,
    maxAge: '365d',
  })
  const worker = path.join(folder, 'worker.js')
  if (existsSync(worker)) serveWorker(app, readFileSync(worker))
  const manifest = path.join(folder, 'manifest.webmanifest')
  if (existsSync(manifest)) serveManifest(app, readFileSync(manifest))
  const page = pack(text)
  serveEmbed(app, config, folder)
  // A person records voice notes.
  const asPage = pageWith(policyOfClient(config), 'camera=(), geolocation=(), microphone=(self)')
  return async (request, reply) => {
    const pathname = pathOf(request)
    const mayInvite = invitingSegments.has(firstSegment(pathname))
    if (!mayInvite && !isNavigation(request)) return reply.callNotFound()
    // Without the database the page says less.
    const invitation = mayInvite ? await findInvitation(pathname).catch(() => undefined) : undefined
    if (!invitation) return page(request, asPage(reply))
    return asPage(reply).send(withInvitation(text, invitation, config))
  }
}

/** Serves the client's service worker. A browser fetches it at each load, to know of an update. */
function serveWorker(app: FastifyInstance, script: Buffer): void {
  const send = pack(script)
  app.get('/worker.js', (request, reply) =>
    send(
      request,
      reply
        .headers({
          'content-security-policy': "default-src 'none'; connect-src 'self'",
          'cache-control': 'no-cache',
        })
        .type('text/javascript; charset=utf-8'),
    ),
  )
}

/** Serves what a device needs to install the client as an app. */
function serveManifest(app: FastifyInstance, manifest: Buffer): void {
  const send = pack(manifest)
  app.get('/manifest.webmanifest', (request, reply) =>
    send(request, reply.header('cache-control', 'no-cache').type('application/manifest+json; charset=utf-8')),
  )
}

const firstSegment = (pathname: string) => pathname.split('/')[1]!

/**
 * Links lead to pages with these first segments. Programs that show a preview of a link often do not say that they want a page.
 */
const invitingSegments = new Set(['dm', 'c'])

/** Paths with these first segments are not pages of the client. */
const interfaceSegments = new Set([
  ...Object.values<Endpoint>(contract).map((endpoint) => firstSegment(endpoint.path)),
  'docs',
  'assets',
  'metrics',
  'livez',
  'embed',
  'embed.js',
  // The service worker answers these alone (web/src/worker/media.ts).
  'media-of-page',
])

/** Returns true when a person opens a page, and not a program that calls the interface or the page that loads a file. */
function isNavigation(request: FastifyRequest): boolean {
  const pathname = pathOf(request)
  if (interfaceSegments.has(firstSegment(pathname))) return false
  return pathname === '/' || /\btext\/html\b/i.test(request.headers.accept ?? '')
}

const pathOf = ({ url }: FastifyRequest) => url.split('?')[0]!
