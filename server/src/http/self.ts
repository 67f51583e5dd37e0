import type { Endpoint } from '@parley/sdk/contract/endpoint.ts'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { Caller } from '../auth/tokens.ts'

interface Values {
  caller: Caller | null
  params: unknown
  body: unknown
}

type Fields = Record<string, unknown>

const namesOf = ({ self }: Endpoint): readonly string[] => (self === undefined ? [] : [self].flat())

/**
 * Compiles an endpoint's `self` into a check of valid values that throws a 403 when the caller is
 * another wallet.
 */
export function compileSelf(endpoint: Endpoint): (values: Values) => void {
  const names = namesOf(endpoint)
  return ({ caller, params, body }) => {
    if (names.length === 0 || caller?.kind !== 'wallet') return
    for (const name of names) {
      const value = (params as Fields)[name] ?? (body as Fields | undefined)?.[name]
      // What is left out means the caller itself.
      if (value === undefined || value === caller.address) return
    }
    throw new ApiError('forbidden', `This belongs to another wallet. You are signed in as ${caller.address}`)
  }
}

/** The same for the docs; undefined where any caller may act. */
export function describeSelf(endpoint: Endpoint): string | undefined {
  const names = namesOf(endpoint).map((name) => `\`${name}\``)
  if (names.length === 0) return undefined
  const who = names.length === 1 ? `the wallet ${names[0]} itself` : `a wallet that is ${names.join(' or ')}`
  return `Only ${who}${endpoint.access === 'wallet-or-admin' ? ', or the admin,' : ''} may do this.`
}
