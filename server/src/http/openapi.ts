import { type Endpoint, paramNames, type Quota } from '@parley/sdk/contract/endpoint.ts'
import { Problem } from '@parley/sdk/contract/errors.ts'
import type { FastifyInstance, FastifySchema } from 'fastify'
import { type TSchema, Type } from 'typebox'
import { describeScope } from './scopes.ts'
import { describeSelf, paramsSchema } from './validation.ts'

/** These are endpoints under a heading, by their names. */
export interface Documented {
  tag: string
  table: Readonly<Record<string, Endpoint>>
}

/** Returns the docs of an endpoint. Models with an `$id` become components of the document. */
export function describe(
  docs: FastifyInstance,
  tag: string,
  operationId: string,
  endpoint: Endpoint,
): FastifySchema {
  const models: Model[] = []
  const schema = descriptionOf(tag, operationId, endpoint, models)
  for (const model of models) if (!docs.getSchema(model.$id)) docs.addSchema(model)
  return schema
}

/** Makes the docs of an endpoint, and adds its models to the list. */
function descriptionOf(tag: string, operationId: string, endpoint: Endpoint, models: Model[]): FastifySchema {
  const { path, summary, description, access, query, body, response, produces, idempotent } = endpoint
  const { htmlPages = [], adds, consumes } = endpoint
  const self = describeSelf(endpoint)
  const content = (mediaType: string, schema: TSchema) => ({
    [mediaType]: { schema: component(schema, models), example: exampleOf(schema) },
  })
  const problem = (what: string) => ({
    description: what,
    content: content('application/problem+json', Problem),
  })
  return {
    operationId,
    summary,
    description: [
      description ?? `${summary}.`,
      ...(self ? [self] : []),
      ...describeScope(endpoint),
      ...describeQuotas(endpoint),
    ].join('\n\n'),
    tags: [tag],
    security: access === 'public' ? [] : [...(access === 'wallet-or-anyone' ? [{}] : []), { bearer: [] }],
    ...(paramNames(path).length > 0 && { params: paramsSchema(path) }),
    ...(query && { querystring: query }),
    ...(idempotent && { headers: idempotencyHeader }),
    ...(body && { body: { content: content('application/json', body) } }),
    ...(consumes && { body: { content: content(consumes, bytesOfBody) } }),
    ...(produces === 'text/event-stream' && { headers: resumeHeader }),
    response: {
      ...(response
        ? {
            200: {
              description: 'OK',
              content: { ...content(produces ?? 'application/json', response), ...pageAt(htmlPages, 200) },
            },
          }
        : { 204: { description: 'Done', type: 'null' } }),
      ...(htmlPages.includes(404) && {
        404: {
          description: 'It is not there',
          content: { ...problem('').content, ...pageAt(htmlPages, 404) },
        },
      }),
      ...(self && { 403: problem('The caller is another wallet') }),
      ...(adds && { 409: problem('There is the maximum of them already (`limit_reached`)') }),
      '4xx': problem('What went wrong (the request)'),
      '5xx': problem('What went wrong (the service)'),
    },
  }
}

const bytesOfBody = Type.String({ description: 'the bytes', examples: ['…'] })

const pageAt = (pages: readonly number[], status: number) =>
  pages.includes(status) && {
    'text/html': {
      schema: Type.String({ description: 'a page for people' }),
      example: '<!doctype html><title>Confirm your address</title>',
    },
  }

const quotaTexts: Record<Quota, string> = {
  bytes: 'bytes stored in a day',
  pictures: 'bytes of pictures in a day',
  strangers: 'conversations begun in a day',
  comments: 'comments in a day',
  communities: 'communities in a day',
  reports: 'reports in a day',
  files: 'files in a day',
}

const describeQuotas = ({ quotas = [] }: Endpoint): string[] =>
  quotas.length > 0
    ? [
        `A wallet has quotas of this: ${quotas.map((quota) => quotaTexts[quota]).join(', ')}. Beyond it a request is 429 until midnight (UTC).`,
      ]
    : []

const idempotencyHeader = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      description: 'makes a repetition safe: 1 to 255 visible ASCII characters, such as a UUID',
      examples: ['5f0c2f9e-6a0e-4a7e-9d52-0d8f3f1f9a10'],
    }),
  ),
})

const resumeHeader = Type.Object({
  'last-event-id': Type.Optional(
    Type.String({ description: 'resumes: the last `id:` that was received', examples: ['4711'] }),
  ),
})

/** A schema may hold others here. */
interface Nested {
  examples?: unknown[]
  items?: TSchema
  anyOf?: TSchema[]
  properties?: Record<string, TSchema>
}

type Model = TSchema & { $id: string }

/** Replaces models that have an `$id`, however deep, by references to components of the document, and adds them to the list. */
function component(schema: TSchema, models: Model[]): TSchema {
  const { items, anyOf, properties } = schema as Nested
  const inside = (one: TSchema) => component(one, models)
  const { $id, ...inline } = {
    ...schema,
    ...(anyOf && { anyOf: anyOf.map(inside) }),
    ...(items && { items: inside(items) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, field]) => [name, inside(field)]),
      ),
    }),
  } as TSchema & { $id?: string }
  if (!$id) return inline
  models.push({ $id, ...inline, examples: [exampleOf(schema)] } as Model)
  return Type.Ref(`${$id}#`)
}

/** Makes an example of a model from its fields' examples. */
function exampleOf(schema: TSchema): unknown {
  const { examples, items, anyOf, properties } = schema as Nested
  if (examples) return examples[0]
  if (items) return [exampleOf(items)]
  if (anyOf) return exampleOf(anyOf[0]!)
  if (!properties) return undefined
  return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, exampleOf(field)]))
}
