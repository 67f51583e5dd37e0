// Says what an API key may do: an endpoint has a list of accepted scopes (sdk/src/contract/scopes.ts), and a key has some.

import type { Endpoint } from '@parley/sdk/contract/endpoint.ts'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import { fieldOfScope, formsOf, type Scope } from '@parley/sdk/contract/scopes.ts'
import type { KeyOfCaller } from '../auth/api-keys.ts'
import { chatKey } from '../messages/chat-key.ts'
import { parseScope } from '../values/scopes.ts'

/** A request has values in these places. */
interface Values {
  params: unknown
  body: unknown
}

/** Returns the scopes of which a key needs one; undefined where no key may call. */
const scopesOf = ({ scope }: Endpoint): readonly Scope[] | undefined =>
  scope === undefined ? undefined : scope === 'any' ? [] : [scope].flat()

/**
 * Throws 403 for an API key without a scope that the endpoint accepts. A scope for one wallet or chat alone is compared with the
 * values of the request, once they are parsed.
 */
export function requireScope(endpoint: Endpoint, { scopes }: KeyOfCaller, values?: Values): void {
  const needed = scopesOf(endpoint)
  if (!needed) throw refusal('No API key may do this: sign in with the wallet.')
  if (endpoint.scope === 'any') return
  const may = scopes.some((text) => {
    const { scope, only } = parseScope(text)!
    if (!needed.includes(scope)) return false
    const field = fieldOfScope[scope]
    return values === undefined || field === undefined || isAbout(field, only, values)
  })
  if (may) return
  const has = scopes.join(', ') || 'none'
  throw refusal(`This needs an API key with the scope ${formsOf(needed).join(' or ')}. This one has ${has}.`)
}

/** Returns true when a request is about the only wallet or chat of a scope, where there is one. */
const isAbout = (field: string, only: string | undefined, { params, body }: Values): boolean => {
  const value = (params as Record<string, unknown>)[field] ?? (body as Record<string, unknown>)[field]
  if (typeof value !== 'string') return false
  if (only === undefined) return true
  return field === 'nftaddr' ? chatKey(value) === chatKey(only) : value === only
}

const refusal = (text: string) => new ApiError('forbidden', text)

/** Does the same for the docs. */
export function describeScope(endpoint: Endpoint): string[] {
  const needed = scopesOf(endpoint)
  if (endpoint.access === 'public') return []
  if (!needed) return ['No API key may do this.']
  if (needed.length === 0) return ['Any API key may do this.']
  return [
    `An API key needs the scope ${formsOf(needed)
      .map((name) => `\`${name}\``)
      .join(' or ')}.`,
  ]
}
