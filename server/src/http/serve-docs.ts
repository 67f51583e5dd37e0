import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Config } from '../config/settings.ts'
import { serveDocsFiles } from './docs-files.ts'
import { serveDocsPages } from './docs-pages.ts'
import type { Documented } from './openapi.ts'

// These are the paths of the reference, which is a server of its own. The documents are each made once.
const documents = ['/docs/json', '/docs/yaml']
const pages = ['/docs', '/docs/static/*']
const passedOn = [
  'content-type',
  'content-security-policy',
  'cache-control',
  'etag',
  'last-modified',
  'location',
]

/**
 * Serves the pages at /docs, OpenAPI 3.1 at /docs/json, and Swagger UI at /docs/index.html. The latter two are made of the contract
 * with their first request, since they take a tenth of a start and 20 MB.
 */
export function serveDocs(app: FastifyInstance, config: Config, endpoints: readonly Documented[]): void {
  serveDocsFiles(app)
  serveDocsPages(app)
  let reference: Promise<FastifyInstance> | undefined
  const ask = async (url: string) => {
    reference ??= import('./reference.ts').then(({ openReference }) => openReference(config, endpoints))
    const { statusCode, headers, rawPayload } = await (await reference).inject(url)
    return { statusCode, headers, rawPayload }
  }
  const serve = async (asked: ReturnType<typeof ask>, reply: FastifyReply) => {
    const { statusCode, headers, rawPayload } = await asked
    if (statusCode === 404) return reply.callNotFound()
    for (const name of passedOn) if (headers[name] !== undefined) reply.header(name, headers[name])
    return reply.code(statusCode).send(rawPayload.length > 0 ? rawPayload : undefined)
  }
  for (const path of documents) {
    let made: ReturnType<typeof ask> | undefined
    app.get(path, (_request, reply) => serve((made ??= ask(path)), reply))
  }
  for (const path of pages) app.get(path, ({ url }, reply) => serve(ask(url), reply))
}
