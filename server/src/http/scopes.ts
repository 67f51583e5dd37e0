// Says what an API key, and a sign-in with scopes, may do: an endpoint has a list of accepted scopes
// (sdk/src/contract/scopes.ts), and a key or a token has some. Nothing else decides it.

import type { Endpoint, Place } from '@parley/sdk/contract/endpoint.ts'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import { formsOf, type Kind, kindOfScope, type Scope } from '@parley/sdk/contract/scopes.ts'
import type { Wallet } from '../auth/tokens.ts'
import { chatKey } from '../messages/chat-key.ts'
import { parseScope } from '../values/scopes.ts'

/** A request has values in these places. */
interface Values {
  params: unknown
  body: unknown
}

/** These are the scopes of a caller: undefined for a sign-in that may do all. */
type Scoped = Pick<Wallet, 'address' | 'scopes' | 'apiKey'>

type Accepting = Pick<Endpoint, 'scope' | 'place'>

/** Returns the scopes of which a caller needs one; undefined where none is enough. */
const scopesOf = ({ scope }: Accepting): readonly Scope[] | undefined =>
  scope === undefined || scope === 'sign-in' ? undefined : scope === 'any' ? [] : [scope].flat()

/**
 * Throws 403 for a caller with scopes none of which the endpoint accepts. A scope for one wallet, chat or NFT alone is compared with
 * the values of the request, once they are parsed.
 */
export function requireScope(endpoint: Accepting, caller: Scoped, values?: Values): void {
  if (allows(endpoint, caller, values)) return
  const needed = scopesOf(endpoint)
  const has = caller.scopes!.join(', ') || 'none'
  if (caller.apiKey)
    throw refusal(
      needed
        ? `This needs an API key with the scope ${formsOf(needed).join(' or ')}. This one has ${has}.`
        : 'No API key may do this: sign in with the wallet.',
    )
  throw refusal(
    needed
      ? `This needs a sign-in with the scope ${formsOf(needed).join(' or ')}. This one has ${has}.`
      : `A sign-in with scopes may not do this: this one has ${has}. Sign in without scopes, on a page of the service.`,
  )
}

/** Returns true for a caller that may make a request: it has no scopes and may all, or has one that the endpoint accepts. */
export function allows(endpoint: Accepting, { address, scopes, apiKey }: Scoped, values?: Values): boolean {
  if (!scopes) return true
  const { scope: accepted, place } = endpoint
  if (accepted === 'any') return true
  if (accepted === 'sign-in') return !apiKey
  const needed = scopesOf(endpoint)
  return scopes.some((text) => {
    const parsed = parseScope(text)
    if (!parsed || !needed?.includes(parsed.scope)) return false
    const { scope, only } = parsed
    const kind = kindOfScope[scope]
    if (kind === undefined || place === 'handler') return true
    if (place === undefined) return only === undefined
    if (values === undefined) return true
    const found = valuesAt(place, kind, address, values)
    return found !== undefined && (only === undefined || isSame(kind, found, only))
  })
}

/** Returns which wallet, chat or NFT a request names, undefined when it names none. */
function valuesAt(place: Place, kind: Kind, caller: string, { params, body }: Values): string[] | undefined {
  const valueOf = (field: string) =>
    (params as Record<string, unknown>)[field] ?? (body as Record<string, unknown> | undefined)?.[field]
  if (place.by !== undefined && (valueOf(place.by) === 'dm') !== (kind === 'peer')) return undefined
  const values = place[kind]?.map(valueOf)
  if (!values?.every((value) => value !== undefined && value !== null)) return undefined
  const texts = values.map(String)
  // A wallet may write to itself.
  return kind === 'peer' ? [texts.find((wallet) => wallet !== caller) ?? caller] : texts
}

function isSame(kind: Kind, found: readonly string[], only: readonly string[]): boolean {
  const formOf = kind === 'chat' ? chatKey : (value: string) => value
  if (kind !== 'nft') return formOf(found[0]!) === formOf(only[0]!)
  const [contract, token] = found
  return (
    chatKey(contract!) === chatKey(only[0]!) && /^\d+$/.test(token!) && BigInt(token!) === BigInt(only[1]!)
  )
}

const refusal = (text: string) => new ApiError('forbidden', text)

/** Does the same for the docs. */
export function describeScope(endpoint: Endpoint): string[] {
  const needed = scopesOf(endpoint)
  if (endpoint.access === 'public') return []
  if (endpoint.scope === 'sign-in') return ['No API key may do this; a sign-in with scopes may.']
  if (!needed) return ['No API key may do this.']
  if (needed.length === 0) return ['Any API key may do this.']
  return [
    `An API key needs the scope ${formsOf(needed)
      .map((name) => `\`${name}\``)
      .join(' or ')}.`,
  ]
}
