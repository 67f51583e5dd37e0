import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { FastifyRequest } from 'fastify'

/**
 * Refuses a request that no page of this service has sent (403). It protects what a cookie allows: a browser sends cookies along
 * with requests that other sites make. Browsers say themselves where a request comes from, in headers that no script can set:
 * Sec-Fetch-Site on HTTPS, Origin everywhere.
 */
export function requireOwnPage(publicUrl: string, { headers }: FastifyRequest): void {
  const site = headers['sec-fetch-site']
  if (site !== undefined ? site === 'same-origin' : isOwn(headers.origin, headers.host, publicUrl)) return
  throw new ApiError(
    'forbidden',
    'Sessions are for the web client of this service: call from a page of its own. Others sign in without a session and keep the token.',
  )
}

/** A proxy may pass on another Host than the browser has sent, so the public address counts too. */
const isOwn = (origin: string | undefined, host: string | undefined, publicUrl: string): boolean =>
  origin !== undefined &&
  URL.canParse(origin) &&
  [host, new URL(publicUrl).host].includes(new URL(origin).host)
