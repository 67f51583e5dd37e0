// Serves the pages at /docs, which are built with the web client (web/build-docs.mjs). Without that build only the API reference
// exists.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { pack, type SendFile, vary } from './precompressed.ts'
import { built } from './web-client.ts'

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

const folderOf = (client: string) => path.join(client, 'docs')

/** This is the address of the first page; undefined where the pages are not built. */
const start = existsSync(path.join(folderOf(built), 'start.html')) ? '/docs/start' : undefined

/**
 * Rewrites a path of the docs to the one that serves it. /docs is the first page. The API reference is at /docs/index.html; its
 * page loads its document from below its own address.
 */
export const rewriteDocs = (url: string): string =>
  start === undefined || !/^\/docs\/?(?=\?|$)/.test(url)
    ? url.replace(/^\/docs\/index\.html(?=\/|$)/, '/docs')
    : url.replace(/^\/docs\/?/, start)

/** The files by their paths. They are the same for every server of this process. */
const files = new Map<string, SendFile>()

/** Serves the pages of a build, and a page for those that do not exist. */
export function serveDocsPages(app: FastifyInstance, client = built): void {
  const folder = folderOf(client)
  if (!existsSync(folder)) return
  const read = (file: string): SendFile => {
    const whole = path.join(folder, file)
    const send = files.get(whole) ?? pack(readFileSync(whole))
    files.set(whole, send)
    return send
  }
  const asPage = (reply: FastifyReply) =>
    reply
      .headers({ 'content-security-policy': policy, 'cache-control': 'no-cache' })
      .type('text/html; charset=utf-8')
  for (const name of readdirSync(folder).flatMap((file) => /^(?!404)(.*)\.html$/.exec(file)?.[1] ?? [])) {
    const send = read(`${name}.html`)
    app.get(`/docs/${name}`, (request, reply) => send(request, asPage(reply)))
  }
  const sendIndex = read('search.json')
  app.get('/docs/search.json', (request, reply) =>
    sendIndex(request, reply.header('cache-control', 'no-cache').type('application/json; charset=utf-8')),
  )
  const sendMissing = read('404.html')
  app.get('/docs/*', (request, reply) => {
    if (!/\btext\/html\b/i.test(request.headers.accept ?? '')) return reply.callNotFound()
    vary(reply, 'Accept')
    return sendMissing(request, asPage(reply.code(404)))
  })
}
