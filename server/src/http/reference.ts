import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { encryptionFields } from '@parley/sdk/contract/encryption.ts'
import fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import packageJson from '../../package.json' with { type: 'json' }
import type { Config } from '../config/settings.ts'
import { dressDocs } from './docs-files.ts'
import { introduction } from './introduction.ts'
import { describe, type Documented } from './openapi.ts'
import { urlOf } from './route.ts'
import { withoutSchemas } from './server.ts'

const contentSecurityPolicy = {
  'default-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
  'connect-src': "'self'",
  'font-src': "'self'",
  'img-src': ["'self'", 'data:'],
  'script-src': "'self'",
  'style-src': "'self'",
}

/** Holds the schemas of the docs as they are: Fastify alone would copy all of them for each route. */
const schemaController: NonNullable<FastifyServerOptions['schemaController']> = {
  ...withoutSchemas,
  bucket: (parent) => {
    const schemas = { ...(parent as Record<string, unknown>) }
    const add = (schema: unknown) => void (schemas[(schema as { $id: string }).$id] = schema)
    // Nothing reads what `add` returns, which Fastify declares as a server.
    return { add: add as () => never, getSchema: (id) => schemas[id], getSchemas: () => schemas }
  },
}

/** The schemas are only shown: nothing is compiled. */
const compilers = { validatorCompiler: () => () => true, serializerCompiler: () => JSON.stringify }

/** Makes a server of the reference alone: OpenAPI 3.1 at /docs/json, and Swagger UI. Its endpoints do nothing. */
export async function openReference(
  { encryptionVendor }: Config,
  endpoints: readonly Documented[],
): Promise<FastifyInstance> {
  const docs = fastify({ schemaController, routerOptions: { ignoreTrailingSlash: true } })
  const fieldNames = Object.entries(encryptionFields(encryptionVendor))
  await docs.register(swagger, {
    refResolver: {
      buildLocalReference: (schema, _base, _fragment, i) =>
        typeof schema.$id === 'string' ? schema.$id : `def-${i}`,
    },
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Parley',
        version: packageJson.version,
        description: introduction,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/', description: 'this service' }],
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
    },
    transformObject: (documents) => {
      const document = 'openapiObject' in documents ? documents.openapiObject : documents.swaggerObject
      const renamed = fieldNames.reduce(
        (text, [ours, wire]) => text.replaceAll(ours, wire),
        JSON.stringify(document),
      )
      return JSON.parse(renamed)
    },
  })
  for (const { tag, table } of endpoints)
    for (const [name, endpoint] of Object.entries(table))
      docs.route({
        method: endpoint.method,
        url: urlOf(endpoint),
        schema: describe(docs, tag, name, endpoint),
        handler: () => {},
        ...compilers,
      })
  // The page has its own scope: its hooks are for the page alone.
  await docs.register(async (scope) => {
    dressDocs(scope)
    await scope.register(swaggerUi, {
      routePrefix: '/docs',
      staticCSP: contentSecurityPolicy,
      uiConfig: {
        displayRequestDuration: true,
        docExpansion: 'list',
        layout: 'BaseLayout',
        // Its colours belong to no theme and have little contrast.
        syntaxHighlight: false,
      },
      theme: { title: 'Parley API' },
    })
  })
  await docs.ready()
  return docs
}
