// These are requests with the examples of the contract, so that code that calls every endpoint has no list of them.

import { type Endpoint, paramNames } from '@parley/sdk/contract/endpoint.ts'
import { params } from '@parley/sdk/contract/params.ts'
import { exampleOf } from './longest-texts.ts'

interface Schema {
  format?: string
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
}

export interface ExampleRequest {
  method: Endpoint['method']
  url: string
  payload?: Record<string, unknown>
}

/**
 * Returns a valid request. `values` stand in place of examples, by the names of parameters and fields; `self` where the caller is
 * named.
 */
export function requestOf(
  endpoint: Endpoint,
  self: string | readonly string[],
  values: Record<string, unknown> = {},
): ExampleRequest {
  const named = [endpoint.self ?? []].flat()
  const wallets = named.map((name, i) => [name, typeof self === 'string' ? self : self[i]])
  const given: Record<string, unknown> = { ...values, ...Object.fromEntries(wallets) }
  const { method, path, body } = endpoint
  const url = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(given[name] ?? exampleOf(params[name]!))),
  )
  const { properties } = (body ?? {}) as Schema
  if (!properties) return { method, url }
  const fields = Object.entries(properties).map(([name, field]) => [
    name,
    name in given ? given[name] : exampleOf(field),
  ])
  return { method, url, payload: Object.fromEntries(fields) }
}

/** Returns the names of parameters of the path and fields of the body. */
export const fieldsOf = ({ path, body }: Endpoint): string[] => [
  ...paramNames(path),
  ...Object.keys(((body ?? {}) as Schema).properties ?? {}),
]

const namesOne = ({ format, anyOf = [], items, properties = {} }: Schema): boolean =>
  format === 'address' || [...anyOf, ...(items ? [items] : []), ...Object.values(properties)].some(namesOne)

/** Returns true when a request names a wallet, a chat or a message. One that does not is only about the caller. */
export const namesAnybody = ({ path, body, query }: Endpoint): boolean =>
  paramNames(path).some((name) => ['name', 'id'].includes(name) || namesOne(params[name]!)) ||
  [body, query].some((schema) => schema !== undefined && namesOne(schema))
