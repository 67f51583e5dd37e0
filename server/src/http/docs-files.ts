import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { pack, type SendFile } from './precompressed.ts'
import { built } from './web-client.ts'

const folder = new URL('static/', import.meta.resolve('@fastify/swagger-ui'))
const types = {
  'swagger-ui-bundle.js': 'text/javascript',
  'swagger-ui-standalone-preset.js': 'text/javascript',
  'swagger-ui.css': 'text/css',
}

const read = (name: string) => readFileSync(fileURLToPath(new URL(name, folder)))
const versions = new Map<string, string>()

/** Returns a hash of the content of a file, which is computed when it is first needed; undefined for another name. */
function versionOf(name: string): string | undefined {
  if (!Object.hasOwn(types, name)) return undefined
  const version = versions.get(name) ?? createHash('sha256').update(read(name)).digest('hex').slice(0, 8)
  versions.set(name, version)
  return version
}

/**
 * Serves the files of Swagger UI, compressed: its plugin would send 2.3 MB. The page names each with a hash of its content, so
 * that browsers may cache it without end.
 */
export function serveDocsFiles(app: FastifyInstance): void {
  for (const [name, type] of Object.entries(types)) {
    let send: SendFile | undefined
    app.get<{ Querystring: { v?: string } }>(`/docs/static/${name}`, (request, reply) => {
      send ??= pack(read(name))
      if (request.query.v === versionOf(name))
        reply.header('cache-control', 'public, max-age=31536000, immutable')
      return send(request, reply.type(`${type}; charset=utf-8`))
    })
  }
}

/**
 * Adds to the page what its plugin has no option for: a layout for phones, names of files that change with their content, and the
 * looks of the web client with the button of a throw-away key (web/src/docs), where that has been built.
 */
export function dressDocs(app: FastifyInstance, client = built): void {
  const assets = path.join(client, 'assets')
  const files = existsSync(assets) ? readdirSync(assets) : []
  const styles = files.filter((name) => /^docs-[\w-]+\.css$/.test(name))
  const scripts = files.filter((name) => /^docs-[\w-]+\.js$/.test(name))
  const added = [
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    ...styles.map((name) => `<link rel="stylesheet" href="/assets/${name}">`),
    ...scripts.map((name) => `<script type="module" src="/assets/${name}"></script>`),
  ].join('\n')
  app.addHook('onSend', async (_request, reply, payload) => {
    if (typeof payload !== 'string' || !String(reply.getHeader('content-type')).startsWith('text/html'))
      return payload
    reply.header('cache-control', 'no-cache')
    return payload
      .replace(styles.length > 0 ? /<link[^>]*swagger-ui\.css" \/>/ : /$^/, '')
      .replaceAll(/static\/([\w.-]+)"/g, (text, name: string) =>
        versionOf(name) ? `static/${name}?v=${versionOf(name)}"` : text,
      )
      .replace('</head>', `${added}\n</head>`)
  })
}
