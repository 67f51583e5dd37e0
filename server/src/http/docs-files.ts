import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { pack, type SendFile } from './packed.ts'

const folder = new URL('static/', import.meta.resolve('@fastify/swagger-ui'))
const types = {
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'swagger-ui-standalone-preset.js': 'text/javascript; charset=utf-8',
  'swagger-ui.css': 'text/css; charset=utf-8',
}

/** The large files of the page of the docs, compressed. The page's own plugin has the others. */
export function serveDocsFiles(app: FastifyInstance): void {
  for (const [name, type] of Object.entries(types)) {
    let send: SendFile | undefined
    app.get(`/docs/static/${name}`, { schema: { hide: true } }, (request, reply) => {
      send ??= pack(readFileSync(fileURLToPath(new URL(name, folder))))
      return send(request, reply.type(type).header('cache-control', 'public, max-age=0'))
    })
  }
}
