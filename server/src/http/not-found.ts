import { contract, type Contract } from '@parley/sdk/contract/index.ts'
import type { Endpoint } from '@parley/sdk/contract/endpoint.ts'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'

const matchers = Object.values(contract as Record<keyof Contract, Endpoint>).map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}/?$`),
}))

/** Refuses a request that no route has: its path is that of no endpoint (404), or of one with other methods (405). */
export function notFound(request: FastifyRequest, reply: FastifyReply): never {
  const path = request.url.split('?')[0]!
  const allowed = [
    ...new Set(matchers.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method as string)),
  ]
  if (allowed.length === 0)
    throw new ApiError('not_found', 'There is no such endpoint. All of them are listed at /docs/index.html.')
  if (allowed.includes('GET')) allowed.push('HEAD')
  reply.header('allow', allowed.join(', '))
  throw new ApiError('method_not_allowed', `Use ${allowed.join(' or ')} here.`)
}
