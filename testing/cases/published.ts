// This finds what one wallet writes with every endpoint that accepts a text or a picture of its own, made from the contract, and
// who can read it where: each value that is written is a mark that stands nowhere else.

import { crc32, deflateSync } from 'node:zlib'
import { type Endpoint, paramNames } from '@parley/sdk/contract/endpoint.ts'
import { contract } from '@parley/sdk/contract/index.ts'
import { privateKeyToAccount } from 'viem/accounts'
import { token } from '../people/reading.ts'
import { newToken, type Service } from '../service/service.ts'
import { unzip } from '../service/files.ts'

export type EndpointName = keyof typeof contract

interface Schema {
  type?: string
  format?: string
  pattern?: string
  const?: unknown
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  patternProperties?: object
  items?: Schema
  examples?: unknown[]
  minimum?: number
}

/** Returns true for a text that a person or a program chooses, which the service does not read. */
const isFreeText = ({ type, format, pattern, const: one }: Schema) =>
  type === 'string' &&
  pattern === undefined &&
  one === undefined &&
  (format === undefined || format === 'text')

const isPicture = (field: string) => field === 'base64data'

/** Returns the places where a schema accepts such texts: `message`, `social.0.name`. */
function freeTexts(schema: Schema, path: string[] = []): string[] {
  if (isFreeText(schema)) return [path.join('.')]
  const inside = [
    ...(schema.anyOf ?? []).flatMap((one) => freeTexts(one, path)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, one]) => freeTexts(one, [...path, name])),
    ...(schema.items ? freeTexts(schema.items, [...path, '0']) : []),
  ]
  return [...new Set(inside)]
}

/** Returns a value of a schema, with a mark at each free text. */
function sampleOf(schema: Schema, path: string[], markAt: (path: string) => string): unknown {
  if (schema.const !== undefined) return schema.const
  // A field whose examples are empty is left out.
  if (schema.examples?.length === 0) return undefined
  if (isFreeText(schema)) return markAt(path.join('.'))
  if (schema.anyOf) {
    const one = schema.anyOf.find((option) => freeTexts(option).length > 0) ?? schema.anyOf[0]!
    return sampleOf(one, path, markAt)
  }
  if (schema.properties)
    return Object.fromEntries(
      Object.entries(schema.properties).map(([name, one]) => [name, sampleOf(one, [...path, name], markAt)]),
    )
  if (schema.items) return [sampleOf(schema.items, [...path, '0'], markAt)]
  if (schema.patternProperties) return {}
  return schema.examples?.[0] ?? schema.minimum ?? false
}

/** These are the endpoints with which a wallet writes a text or a picture of its own. */
export const writing = (Object.entries(contract) as [EndpointName, Endpoint][]).filter(
  ([, { method, access, body, query }]) =>
    method !== 'GET' &&
    access !== 'operator' &&
    (freeTexts((body ?? {}) as Schema).length > 0 || freeTexts((query ?? {}) as Schema).length > 0),
)

/** These write nothing when a wallet calls them alone, and why. */
export const refusedAlone: Partial<Record<EndpointName, string>> = {
  confirmHandover: 'no other browser waits to be signed in',
  verifyKey: 'it asks a chain about a proof, and stores nothing',
}

/** Values by the names of parameters and fields. */
export type Values = Record<string, unknown>

export interface Call {
  name: EndpointName
  method: Endpoint['method']
  url: string
  payload: object | undefined
  /** The marks, each with the field in which it stands. */
  marks: Map<string, string>
  values: Values
}

let calls = 0
/** Returns a word that has only letters, so that it is a name, a word and a text. */
const newMark = () =>
  `mark${Array.from(String((calls += 1)), (digit) => 'bcdfghjkmn'[Number(digit)]).join('')}kramq`

/** Returns a PNG of one pixel, each of another colour. */
function pictureOf(n: number): string {
  const chunk = (type: string, data: Buffer) => {
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(Buffer.concat([Buffer.from(type), data])))
    return Buffer.concat([length, Buffer.from(type), data, sum])
  }
  const pixel = deflateSync(Buffer.from([0, (n * 53) % 256, (n * 97) % 256, n % 256]))
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', Buffer.from('00000001000000010802000000', 'hex')),
    chunk('IDAT', pixel),
    chunk('IEND', Buffer.alloc(0)),
  ]).toString('base64')
}

/** Returns a call of an endpoint: `values` stand in place of the contract's examples. Undefined leaves a field out. */
export function callOf(name: EndpointName, values: Values): Call {
  const endpoint = contract[name] as Endpoint
  const marks = new Map<string, string>()
  const markAt = (field: string) => {
    const mark = newMark()
    if (!(field in values)) marks.set(mark, field)
    return mark
  }
  const sample = (schema: unknown) => sampleOf(schema as Schema, [], markAt) as Record<string, unknown>
  const body = endpoint.body && sample(endpoint.body)
  if (body)
    for (const field of Object.keys(body)) {
      if (isPicture(field)) {
        const picture = pictureOf((calls += 1))
        for (const [mark, of] of marks) if (of === field) marks.delete(mark)
        body[field] = picture
        marks.set(picture, field)
      } else if (field in values) body[field] = values[field]
      for (const [mark, of] of marks) if (of.startsWith(`${field}.`) && field in values) marks.delete(mark)
    }
  const query = new URLSearchParams()
  if (endpoint.query)
    for (const [field, value] of Object.entries(sample(endpoint.query)))
      if (typeof value === 'string') query.set(field, value)
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, param: string) =>
    encodeURIComponent(String(values[`{${param}}`] ?? values[param])),
  )
  const url = query.size > 0 ? `${path}?${query}` : path
  return { name, method: endpoint.method, url, payload: body, marks, values }
}

export const send = async (service: Service, wallet: string | null, { method, url, payload }: Call) =>
  service.app.inject({
    method,
    url,
    ...(payload && { payload }),
    headers: wallet === null ? {} : { authorization: `Bearer ${await newToken(service.ctx, wallet)}` },
  })

/** The values that a reader knows, by the names of parameters: each of these is requested. */
export type Known = Record<string, readonly string[]>

const readings = (Object.entries(contract) as [EndpointName, Endpoint][]).filter(
  ([, { method, access, produces }]) =>
    method === 'GET' && access !== 'operator' && produces !== 'text/event-stream',
)

/** Returns every URL of an endpoint with the known values. */
function urlsOf({ path, query }: Endpoint, known: Known): string[] {
  let urls: string[] = [path]
  for (const name of paramNames(path))
    urls = urls.flatMap((url) =>
      (known[name] ?? ['1']).map((value) => url.replace(`{${name}}`, encodeURIComponent(value))),
    )
  const fields = Object.keys((query as Schema | undefined)?.properties ?? {})
  const asked = fields.flatMap((field) =>
    (known[`?${field}`] ?? []).map((value) => `${field}=${encodeURIComponent(value)}`),
  )
  return ['', ...asked].flatMap((text) => urls.map((url) => (text ? `${url}?${text}` : url)))
}

/** Returns all responses that a wallet, or nobody, gets to every GET of the contract: by endpoint and address. */
export async function readAll(
  service: Service,
  wallet: string | null,
  known: Known,
): Promise<Map<string, { status: number; text: string }>> {
  const authorization = wallet === null ? undefined : `Bearer ${await newToken(service.ctx, wallet)}`
  const answers = new Map<string, { status: number; text: string }>()
  const read = async (name: string, url: string) => {
    const answer = await service.app.inject({ url, headers: authorization ? { authorization } : {} })
    const isZip = answer.headers['content-type'] === 'application/zip'
    const text = isZip ? await textOfZip(answer.rawPayload) : answer.body
    return [`${name} ${url}`, { status: answer.statusCode, text }] as const
  }
  // Reading changes nothing that another response of the same endpoint shows.
  for (const [name, endpoint] of readings) {
    const found = await Promise.all(urlsOf(endpoint, known).map((url) => read(name, url)))
    for (const [key, answer] of found) answers.set(key, answer)
  }
  return answers
}

/** Returns the files of an archive as one text: lines as they are, pictures in base64. */
async function textOfZip(archive: Buffer): Promise<string> {
  const files = [...(await unzip(archive))]
  return files
    .map(([name, content]) => `${name}\n${content.toString(/\.jsonl?$/.test(name) ? 'utf8' : 'base64')}`)
    .join('\n')
}

/** Returns the call that signs in an account that has a key. */
export async function signInCall(service: Service, privateKey: `0x${string}`): Promise<Call> {
  const account = privateKeyToAccount(privateKey)
  const address = account.address.toLowerCase()
  const { message } = (await service.app.inject(`/users/${address}/nonce`)).json<{ message: string }>()
  return callOf('signIn', {
    address,
    msg: message,
    nonce: '',
    sig: await account.signMessage({ message }),
    session: false,
  })
}

export { token }
