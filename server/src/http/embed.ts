// Serves what other sites show of the service: the script with the element <parley-chat>, and the page that is in its frame.
// It is the only page that a site may show, and only a site of EMBED_ORIGINS.

import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type PageSettings, withSettings } from './page-meta.ts'
import { pageWith, policyOfFrame } from './page-policy.ts'
import { pack, type SendFile } from './precompressed.ts'

const closed = 'No site shows this service: EMBED_ORIGINS has the origins of sites that may.\n'

/** Serves both from a folder of built files. */
export function serveEmbed(app: FastifyInstance, config: PageSettings, folder: string): void {
  const [page, script] = ['embed.html', 'embed.js'].map((name) => path.join(folder, name))
  if (!existsSync(page!) || !existsSync(script!)) return
  const isOpen = config.embedOrigins.length > 0
  const serve = (url: string, send: SendFile, prepare: (reply: FastifyReply) => FastifyReply) =>
    app.get(url, (request: FastifyRequest, reply: FastifyReply) =>
      isOpen
        ? send(request, prepare(reply))
        : reply.code(404).header('cache-control', 'no-store').type('text/plain; charset=utf-8').send(closed),
    )
  const asPage = pageWith(policyOfFrame(config), 'camera=(), geolocation=(), microphone=()')
  serve('/embed/*', pack(withSettings(readFileSync(page!, 'utf8'), config)), asPage)
  serve('/embed.js', pack(readFileSync(script!)), (reply) =>
    reply
      .headers({
        // A site that is isolated from others loads it too.
        'cross-origin-resource-policy': 'cross-origin',
        'cache-control': 'public, max-age=3600',
      })
      .type('text/javascript; charset=utf-8'),
  )
}
