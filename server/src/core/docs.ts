import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { type Endpoint, paramNames } from '@parley/sdk/contract/endpoint.ts'
import { Problem } from '@parley/sdk/contract/errors.ts'
import type { FastifyInstance, FastifySchema } from 'fastify'
import { type TSchema, Type } from 'typebox'
import type { Config } from './config.ts'
import { paramsSchema } from './validation.ts'
import { vendorNames } from './vendor.ts'

const introduction = `
Messaging where a wallet address is the identity.

1. \`GET /users/{address}/nonce\` gives a ready text to sign (EIP-4361).
2. \`POST /signin\` with the signature answers the token in the \`Authorization\` header; with \`Accept: application/jwt\` it is the body.
3. Send it as \`Authorization: Bearer <token>\`: press **Authorize** here.

Every error is a problem document (RFC 9457) whose \`detail\` says what a right value looks like.
Lists are oldest first and whole; \`limit\`, \`after\` and \`before\` give pages.
Creating requests honour an \`Idempotency-Key\`: the same key and body within 24 hours answers the first result.
`

const contentSecurityPolicy = {
  'default-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
  'connect-src': "'self'",
  'font-src': "'self'",
  'img-src': ["'self'", 'data:'],
  'script-src': "'self'",
  'style-src': ["'self'", "'unsafe-inline'"],
}

/** OpenAPI 3.1 at /docs/json and Swagger UI at /docs/index.html, made from the routes as they are served. */
export async function serveDocs(
  app: FastifyInstance,
  { publicUrl, encryptionVendor }: Config,
): Promise<void> {
  const names = vendorNames(encryptionVendor)
  await app.register(swagger, {
    refResolver: {
      buildLocalReference: (schema, _base, _fragment, i) =>
        typeof schema.$id === 'string' ? schema.$id : `def-${i}`,
    },
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Parley',
        version: '0.1.0',
        description: introduction,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: publicUrl }],
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
    },
    transformObject: (documents) => {
      const document = 'openapiObject' in documents ? documents.openapiObject : documents.swaggerObject
      return JSON.parse(names.mentions(JSON.stringify(document)))
    },
  })
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: contentSecurityPolicy,
    uiConfig: { persistAuthorization: true, displayRequestDuration: true, docExpansion: 'list' },
    theme: { title: 'Parley API' },
  })
}

/** What the docs say of an endpoint. Models with an `$id` become components of the document. */
export function describe(
  app: FastifyInstance,
  tag: string,
  operationId: string,
  endpoint: Endpoint,
): FastifySchema {
  const { path, summary, description, access, query, body, response, produces, idempotent } = endpoint
  const ok = response && {
    description: 'OK',
    content: { [produces ?? 'application/json']: { schema: component(app, response) } },
  }
  return {
    operationId,
    summary,
    ...(description && { description }),
    tags: [tag],
    security: access === 'public' ? [] : [{ bearer: [] }],
    ...(paramNames(path).length > 0 && { params: paramsSchema(path) }),
    ...(query && { querystring: query }),
    ...(idempotent && { headers: idempotencyHeader }),
    ...(produces === 'text/event-stream' && { headers: resumeHeader }),
    ...(body && { body: component(app, body) }),
    response: {
      ...(ok ? { 200: ok } : { 204: { description: 'Done', type: 'null' } }),
      default: {
        description: 'What went wrong',
        content: { 'application/problem+json': { schema: component(app, Problem) } },
      },
    },
  }
}

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

function component(app: FastifyInstance, schema: TSchema): TSchema {
  const { $id, items } = schema as { $id?: string; items?: TSchema }
  if ($id) {
    if (!app.getSchema($id)) app.addSchema(schema)
    return { $ref: `${$id}#` }
  }
  return items ? { ...schema, items: component(app, items) } : schema
}
