import { ApiError } from '@parley/sdk/contract/errors.ts'
import { files } from '@parley/sdk/contract/files.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../config/settings.ts'

/** These routes are there on the host for files; monitors and proxies ask the last two. */
const routes = new Set([files.getFile.path.replace(/\{(\w+)\}/, ':$1'), '/healthz', '/readyz'])

/** Refuses all but the bytes of files on the host of MEDIA_URL: what runs there can do nothing else. */
export function limitMediaHost(app: FastifyInstance, { mediaUrl }: Pick<Config, 'mediaUrl'>): void {
  if (mediaUrl === undefined) return
  const { hostname } = new URL(mediaUrl)
  const isThere = ({ method, routeOptions }: FastifyRequest) =>
    ['GET', 'HEAD', 'OPTIONS'].includes(method) && routes.has(routeOptions.url ?? '')
  app.addHook('onRequest', async (request) => {
    // A name may end with a dot.
    const host = request.hostname.toLowerCase().replace(/\.$/, '')
    if (host === hostname && !isThere(request))
      throw new ApiError('not_found', 'This host has the files of messages, and nothing else.')
  })
}
