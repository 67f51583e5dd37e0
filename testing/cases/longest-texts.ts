// These are the longest texts that a request may have, made of what costs most to read: for every string of the contract.

import { defaultMaxBody, type Endpoint, paramNames } from '@parley/sdk/contract/endpoint.ts'
import { params } from '@parley/sdk/contract/params.ts'
import { compileValidation } from '../../server/src/http/validation.ts'

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

/** Texts are made of these, by a name for messages of tests. */
const fillers: Record<string, (length: number) => string> = {
  ...Object.fromEntries(
    [
      '\u0301',
      'a\u0301\u0316',
      '\u0344',
      '\u200d',
      'a\u200d',
      'क्\u200d',
      '\u0591א',
      '👩\u200d',
      '👨\u200d👩\u200d👧',
      '1\ufe0f\u20e3',
      '🏴\u{e0067}',
      '🇩',
      '\u{e0041}',
      'a',
      ' ',
      '"',
      '\\',
      "'",
      '(',
      '/',
      '.',
      ':',
      '@',
      '{"a":',
      '![](',
      'a@',
      '@a ',
      'a@b.',
      'a.',
      '. ',
      'a: ',
      '12:34 ',
      'ipfs://',
      'https://a.',
      'xn--',
      '0x',
      '&amp;',
      '\ufdfa',
      '각',
      'İ',
      'Im1w|0',
      '。',
      'A\n',
    ].map((part) => [
      JSON.stringify(part),
      (length: number) => part.repeat(Math.floor(length / part.length)),
    ]),
  ),
  'marks in the order that takes longest to sort': (length) =>
    `a${'\u0301'.repeat(length / 2)}${'\u0316'.repeat(length / 2 - 1)}`,
  'an address to come': (length) => `0x${'a'.repeat(length - 2)}`,
  'a domain': (length) => `${'a.'.repeat(length / 2)}example`,
}

/** Returns the strings of a value by their JSON Pointers; a list is read only in its first item. */
const stringsOf = (schema: Schema, at: string): [pointer: string, schema: Schema][] => [
  ...(schema.type === 'string' ? [[at, schema] as [string, Schema]] : []),
  ...(schema.anyOf ?? []).flatMap((one) => stringsOf(one, at)),
  ...(schema.items ? stringsOf(schema.items, `${at}/0`) : []),
  ...Object.entries(schema.properties ?? {}).flatMap(([name, one]) => stringsOf(one, `${at}/${name}`)),
]

/** Returns a value as the contract's examples have it. */
export const exampleOf = ({ examples, items, anyOf, properties, const: only }: Schema): unknown =>
  only ??
  examples?.[0] ??
  (items
    ? [exampleOf(items)]
    : anyOf
      ? exampleOf(anyOf[0]!)
      : properties &&
        Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, exampleOf(one)])))

interface Values {
  params: Record<string, string>
  query: Record<string, unknown>
  body: unknown
}

/** Some validation ends at these lengths, and others lie between. */
const lengths = [
  2 ** 18,
  2 ** 17,
  65_536,
  32_768,
  16_386,
  8192,
  4096,
  2048,
  1024,
  512,
  255,
  254,
  200,
  128,
  100,
  64,
  40,
  32,
  16,
  8,
  2,
]
/** Returns the maximum length of a valid text, by its schema. */
const mostOf = ({ format = '', pattern, maxLength, 'x-max-bytes': bytes }: Schema): number =>
  bytes ??
  maxLength ??
  (pattern === undefined && ['text', ''].includes(format) ? Infinity : format === 'idn-email' ? 254 : 128)
/** The service refuses longer URLs. */
const mostInUrl = 8192

/** Values that are refused before a handler sees them: their cost depends only on the schema. */
const refused = new Set<string>()

/** The longest valid texts as they were found before: other places with the same schema and room have the same. */
const longestValid = new Map<string, number>()

/** Yields requests with one long text each: the longest that is valid, and once for each schema the longest of all. */
export function* longTexts(
  endpoint: Endpoint,
  valuesOf: (name: string) => string | undefined,
): Generator<{ of: string; url: string; payload: string | undefined }> {
  const validate = compileValidation(endpoint)
  const isValid = (values: Values) => {
    try {
      validate(structuredClone(values))
      return true
    } catch {
      return false
    }
  }
  const known = (name: string, schema: Schema) => valuesOf(name) ?? String(exampleOf(schema))
  const example = (): Values => ({
    params: Object.fromEntries(paramNames(endpoint.path).map((name) => [name, known(name, params[name]!)])),
    query: {},
    body: endpoint.body && ownValues(structuredClone(exampleOf(endpoint.body as Schema)), valuesOf),
  })
  const schemas = new Map([
    ...paramNames(endpoint.path).map((name) => [`/params/${name}`, params[name]!] as [string, Schema]),
    ...stringsOf((endpoint.query ?? {}) as Schema, '/query'),
    ...stringsOf((endpoint.body ?? {}) as Schema, '/body'),
  ])
  for (const [place, schema] of schemas) {
    const isInBody = place.startsWith('/body')
    const empty = put(example(), place, '')
    const rest = isInBody ? Buffer.byteLength(JSON.stringify(empty.body)) : urlOf(endpoint, empty).length
    for (const [of, make] of Object.entries(fillers)) {
      const withText = (length: number) => put(example(), place, make(length))
      const most = isInBody ? (endpoint.maxBody ?? defaultMaxBody) : mostInUrl
      const longest = lengths.find((length) => rest + sizeOf(place, of, length) <= most)
      const key = `${JSON.stringify(schema)} ${of}`
      const room = `${key} ${longest} ${isInBody}`
      const before = longestValid.get(room)
      const valid =
        before !== undefined && isValid(withText(before))
          ? before
          : lengths.find(
              (length) => length <= Math.min(mostOf(schema), longest ?? 0) && isValid(withText(length)),
            )
      if (valid !== undefined) longestValid.set(room, valid)
      const isNew = !refused.has(key)
      refused.add(key)
      for (const length of new Set([valid, ...(isNew ? [longest] : [])])) {
        if (length === undefined) continue
        const values = withText(length)
        yield {
          of: `${place} of ${length} × ${of}`,
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

function put(values: Values, place: string, text: string): Values {
  const path = place.slice(1).split('/')
  const last = path.pop()!
  let parent = values as unknown as Record<string, unknown>
  for (const name of path) parent = (parent[name] ??= {}) as Record<string, unknown>
  parent[last] = text
  return values
}

function urlOf({ path }: Endpoint, values: Values): string {
  const query = new URLSearchParams(values.query as Record<string, string>).toString()
  return (
    path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values.params[name]!)) +
    (query && `?${query}`)
  )
}
