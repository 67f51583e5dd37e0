// The web client: the files that `npm start` has built from web/, served at the root. Files carry a
// hash of their content in their names, so browsers may cache them without end; the page itself is
// fetched anew each time. A navigation to any path that is not part of the interface gets the page,
// because the client has paths of its own (/dm/0x…).

import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import fastifyStatic from '@fastify/static'
import type { Endpoint } from '@parley/sdk/contract/endpoint.ts'
import { contract } from '@parley/sdk/contract/index.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config/settings.ts'
import { html } from '../lib/html.ts'
import { pack, vary } from './packed.ts'

const built = path.join(import.meta.dirname, '../../../web/dist')

// The page runs only its own files, connects only to this service, and shows pictures it got as
// data.
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
].join('; ')

type Told = Pick<Config, 'encryptionVendor' | 'publicUrl' | 'allowedDomains'>

/**
 * What the page tells the client, by the names of its meta elements: the segment in the names of the
 * encryption fields; the host that texts for wallets name, and the others that the page may have.
 */
const told = ({ encryptionVendor, publicUrl, allowedDomains }: Told) => ({
  'encryption-vendor': encryptionVendor,
  'service-hosts': [...new Set([new URL(publicUrl).host, ...allowedDomains.map(toLower)])].join(' '),
})

const toLower = (domain: string) => domain.toLowerCase()

function tell(page: string, config: Told): string {
  for (const [name, content] of Object.entries(told(config)))
    page = page.replace(
      new RegExp(`<meta name="${name}" content="[^"]*"`),
      () => html`<meta name="${name}" content="${content}"`.markup,
    )
  return page
}

const notBuilt =
  'The service runs. Its web client is not built: "npm start" builds it, or "npm run build -w web".\nThe docs are at /docs/index.html.\n'

/**
 * Serves the web client from a folder of built files; without them the root says how to get them.
 */
export async function serveWeb(app: FastifyInstance, config: Told, folder = built): Promise<void> {
  const index = path.join(folder, 'index.html')
  const page = existsSync(index) ? pack(tell(readFileSync(index, 'utf8'), config)) : undefined
  if (page)
    await app.register(fastifyStatic, {
      root: path.join(folder, 'assets'),
      prefix: '/assets/',
      decorateReply: false,
      wildcard: false,
      index: false,
      preCompressed: true,
      immutable: true,
      maxAge: '365d',
    })
  app.get('/*', { schema: { hide: true } }, (request, reply) => {
    if (!isNavigation(request)) return reply.callNotFound()
    if (!page) return reply.type('text/plain; charset=utf-8').send(notBuilt)
    return page(request, asPage(reply))
  })
}

function asPage(reply: FastifyReply): FastifyReply {
  vary(reply, 'Accept')
  return reply
    .headers({
      'content-security-policy': policy,
      'referrer-policy': 'no-referrer',
      'permissions-policy': 'camera=(), geolocation=(), microphone=()',
      'cache-control': 'no-cache',
    })
    .type('text/html; charset=utf-8')
}

const firstSegment = (pathname: string) => pathname.split('/')[1]!

/** The first segments of paths that are not pages of the client. */
const interfaceSegments = new Set([
  ...Object.values<Endpoint>(contract).map((endpoint) => firstSegment(endpoint.path)),
  'docs',
  'assets',
  'metrics',
  'livez',
])

/**
 * Whether a person opens a page, rather than a program calling the interface or the page loading a
 * file.
 */
function isNavigation({ url, headers }: FastifyRequest): boolean {
  const pathname = url.split('?')[0]!
  if (interfaceSegments.has(firstSegment(pathname))) return false
  return pathname === '/' || /\btext\/html\b/i.test(headers.accept ?? '')
}
