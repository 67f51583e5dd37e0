// These are the longest texts that a request may have, made of what costs most to read: for every string of the contract.

import { defaultMaxBody, type Endpoint, paramNames } from '@parley/sdk/contract/endpoint.ts'
import { params } from '@parley/sdk/contract/params.ts'
import { compileValidation } from '../../server/src/http/validation.ts'
import { fillers, lengths } from './long-fillers.ts'

interface Schema {
  type?: string
  format?: string
  pattern?: string
  maxLength?: number
  'x-max-bytes'?: number
  const?: unknown
  examples?: unknown[]
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
}

/** Returns a value as the contract's examples have it: a copy, because all tests of a process share the contract. */
export const exampleOf = (schema: Schema): unknown => structuredClone(exampleIn(schema))

const exampleIn = ({ examples, items, anyOf, properties, const: only }: Schema): unknown =>
  only ??
  examples?.[0] ??
  (items
    ? [exampleIn(items)]
    : anyOf
      ? exampleIn(anyOf[0]!)
      : properties &&
        Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, exampleIn(one)])))

interface Place {
  at: string
  schema: Schema
  build: (text: unknown) => unknown
}

/** Returns the strings of a value by their JSON Pointers, each with what builds the value around a text; a list has one item. */
function stringsOf(
  schema: Schema,
  at: string,
  example: (schema: Schema) => unknown,
  build: (value: unknown) => unknown,
): Place[] {
  const inside = (one: Schema, name: string, around: (value: unknown) => unknown) =>
    stringsOf(one, `${at}${name}`, example, (value) => build(around(value)))
  return [
    ...(schema.type === 'string' ? [{ at, schema, build }] : []),
    ...(schema.anyOf ?? []).flatMap((one) => inside(one, '', (value) => value)),
    ...(schema.items ? inside(schema.items, '/0', (value) => [value]) : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, one]) =>
      inside(one, `/${name}`, (value) => ({ ...(example(schema) as object), [name]: value })),
    ),
  ]
}

interface Values {
  params: Record<string, string>
  query: Record<string, unknown>
  body: unknown
}

/** Returns the maximum length of a valid text, by its schema. */
const mostOf = ({ format = '', pattern, maxLength, 'x-max-bytes': bytes }: Schema): number =>
  bytes ??
  maxLength ??
  (pattern === undefined && ['text', ''].includes(format) ? Infinity : format === 'idn-email' ? 254 : 128)
/** The service refuses longer URLs. */
const mostInUrl = 8192

/** Returns what a schema asks of a text. Constants are compared: one stands for all. */
const ruleOf = (schema: Schema): string =>
  'const' in schema ? 'const' : JSON.stringify({ ...schema, description: undefined, examples: undefined })

/** The lengths of valid texts, the longest first, by the rule of a place: computed once for all places that have it. */
const validLengths = new Map<string, number[]>()

function validLengthsOf(schema: Schema, of: string): number[] {
  const key = `${ruleOf(schema)} ${of}`
  const known = validLengths.get(key)
  if (known) return known
  const isValid = isValidOf({ path: '/', body: { type: 'object', properties: { text: schema } } } as never)
  const valuesOf = (length: number) => ({ params: {}, query: {}, body: { text: fillers[of]!(length) } })
  const most = 'const' in schema ? 0 : mostOf(schema)
  const valid = lengths.filter((length) => length <= most && isValid(valuesOf(length)))
  validLengths.set(key, valid)
  return valid
}

function isValidOf(endpoint: Endpoint): (values: Values) => boolean {
  const validate = compileValidation(endpoint)
  return (values) => {
    try {
      validate(structuredClone(values))
      return true
    } catch {
      return false
    }
  }
}

/** A handler treats short values of one name alike, such as the address of a chat. */
const short = 1024

const measured = new Set<string>()

/** Returns false once for each key: one place stands for all that cost the same. */
function wasThere(key: string): boolean {
  const was = measured.has(key)
  measured.add(key)
  return was
}

/**
 * Yields requests with one long text each: the longest that is valid, where it is short once for each name; and the longest of
 * all once for each rule, because what is refused costs no more than the rule.
 */
export function* longTexts(
  endpoint: Endpoint,
  valuesOf: (name: string) => string | undefined,
): Generator<{ of: string; url: string; payload: string | undefined }> {
  const isValid = isValidOf(endpoint)
  const known = (name: string) => valuesOf(name) ?? String(exampleOf(params[name]!))
  const exampleFor = (schema: Schema) => ownValues(structuredClone(exampleOf(schema)), valuesOf)
  const names = paramNames(endpoint.path)
  const example: Values = {
    params: Object.fromEntries(names.map((name) => [name, known(name)])),
    query: {},
    body: endpoint.body && exampleFor(endpoint.body),
  }
  const { query = {}, body = {} } = endpoint as { query?: Schema; body?: Schema }
  const places: Place[] = [
    ...names.map((name) => ({
      at: `/params/${name}`,
      schema: params[name]!,
      build: (text: unknown) => ({ ...example, params: { ...example.params, [name]: text } }),
    })),
    ...stringsOf(
      query,
      '/query',
      () => ({}),
      (value) => ({ ...example, query: value }),
    ),
    ...stringsOf(body, '/body', exampleFor, (value) => ({ ...example, body: value })),
  ]
  for (const { at, schema, build } of places) {
    const withText = (text: string) => build(text) as Values
    const isInBody = at.startsWith('/body')
    const empty = withText('')
    const rest = isInBody ? Buffer.byteLength(JSON.stringify(empty.body)) : urlOf(endpoint, empty).length
    const most = isInBody ? (endpoint.maxBody ?? defaultMaxBody) : mostInUrl
    for (const [of, make] of Object.entries(fillers)) {
      const fits = (length: number) => rest + sizeOf(at, of, length) <= most
      const valid = validLengthsOf(schema, of).find(
        (length) => fits(length) && isValid(withText(make(length))),
      )
      const rule = `${ruleOf(schema)} ${of}`
      const name = at.split('/').findLast((part) => part !== '0')
      const isKnown = valid !== undefined && valid <= short && wasThere(`${name} ${rule}`)
      const longest = lengths.find(fits)
      const isRefused = wasThere(`${longest} ${rule}`)
      for (const length of new Set([isKnown ? undefined : valid, isRefused ? undefined : longest])) {
        if (length === undefined) continue
        const values = withText(make(length))
        yield {
          of: `${at} of ${length} × ${of}`,
          url: urlOf(endpoint, values),
          payload: values.body === undefined ? undefined : JSON.stringify(values.body),
        }
      }
    }
  }
}

const sizes = new Map<string, number>()

/** Returns what a text adds to the body or the URL: always the same for a place of this kind, so it is computed once. */
function sizeOf(place: string, of: string, length: number): number {
  const kind = place.split('/')[1]!
  const key = `${kind} ${length} ${of}`
  const text = () => fillers[of]!(length)
  const encoded = () =>
    kind === 'params' ? encodeURIComponent(text()) : new URLSearchParams({ q: text() }).toString().slice(2)
  const size =
    sizes.get(key) ?? (kind === 'body' ? Buffer.byteLength(JSON.stringify(text())) - 2 : encoded().length)
  sizes.set(key, size)
  return size
}

function ownValues(body: unknown, valuesOf: (name: string) => string | undefined): unknown {
  if (typeof body !== 'object' || body === null) return body
  for (const name of Object.keys(body))
    (body as Record<string, unknown>)[name] = valuesOf(name) ?? (body as Record<string, unknown>)[name]
  return body
}

function urlOf({ path }: Endpoint, values: Values): string {
  const query = new URLSearchParams(values.query as Record<string, string>).toString()
  return (
    path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values.params[name]!)) +
    (query && `?${query}`)
  )
}
