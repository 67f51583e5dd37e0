import { Readable } from 'node:stream'
import {
  type Body,
  defaultMaxBody,
  type Endpoint,
  type Params,
  type Query,
  type Reply,
} from '@parley/sdk/contract/endpoint.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { authenticate, type Caller, type CallerOf } from '../auth/tokens.ts'
import type { Context } from '../context.ts'
import type { JsonList } from '../db/pages.ts'
import { limitOf } from '../limits/limits.ts'
import { encryptionFieldsOf } from '../values/encryption-fields.ts'
import { once, requireKey } from './idempotency.ts'
import { describe } from './openapi.ts'
import { isJsonList, sendList, toText } from './send-list.ts'
import { compileSelf } from './self.ts'
import { compileValidation } from './validation.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
  }
}

/** What a handler is given: values that are valid, addresses in canonical form. */
interface Request<E extends Endpoint> {
  caller: CallerOf[E['access']]
  params: Params<E>
  query: Query<E>
  body: Body<E>
  http: { request: FastifyRequest; reply: FastifyReply }
}

type Answer<E extends Endpoint> = E extends { produces: 'text/event-stream' }
  ? void
  : E extends { produces: 'application/zip' }
    ? Readable
    : Reply<E> | (Reply<E> extends (infer Item)[] ? JsonList<Item> : never)

type Handler<E extends Endpoint> = (ctx: Context, request: Request<E>) => Promise<Answer<E>>

/**
 * A handler whose first step may be slow (it asks a chain, or decodes a picture) and holds no
 * transaction.
 */
interface TwoSteps<E extends Endpoint> {
  prepare: (ctx: Context, request: Request<E>) => Promise<unknown>
  act: (ctx: Context, request: Request<E>, prepared: never) => Promise<Answer<E>>
}

/** `prepare` may be slow and must not write; `act` writes, and receives what `prepare` returned. */
export const twoSteps = <E extends Endpoint, Prepared>(
  prepare: (ctx: Context, request: Request<E>) => Promise<Prepared>,
  act: (ctx: Context, request: Request<E>, prepared: Prepared) => Promise<Answer<E>>,
): TwoSteps<E> => ({ prepare, act })

/** One handler per endpoint of a feature. A missing one does not compile. */
export type Handlers<Feature extends Record<string, Endpoint>> = {
  [Name in keyof Feature]: Handler<Feature[Name]> | TwoSteps<Feature[Name]>
}

interface AnyTwoSteps {
  prepare: (ctx: Context, request: unknown) => Promise<unknown>
  act: (ctx: Context, request: unknown, prepared: unknown) => Promise<unknown>
}

const asTwoSteps = (handler: unknown): AnyTwoSteps =>
  typeof handler === 'function'
    ? { prepare: async () => undefined, act: handler as AnyTwoSteps['act'] }
    : (handler as AnyTwoSteps)

/** Adds a feature to the server: for each endpoint the path, access check, validation, docs and handler. */
export function serve<Feature extends Record<string, Endpoint>>(
  app: FastifyInstance,
  ctx: Context,
  tag: string,
  feature: Feature,
  handlers: Handlers<Feature>,
): void {
  for (const [name, endpoint] of Object.entries(feature))
    route(app, ctx, tag, name, endpoint, asTwoSteps(handlers[name]))
}

function route(
  app: FastifyInstance,
  ctx: Context,
  tag: string,
  name: string,
  endpoint: Endpoint,
  { prepare, act }: AnyTwoSteps,
): void {
  const validate = compileValidation(endpoint)
  const requireSelf = compileSelf(endpoint)
  const limit = limitOf(endpoint)
  const { fromWire, toWire, pageToWire } = encryptionFieldsOf(ctx.config.encryptionVendor)

  app.route({
    method: endpoint.method,
    url: endpoint.path.replace(/\{(\w+)\}/g, ':$1').replace(/\/$/, ''),
    schema: describe(app, tag, name, endpoint),
    bodyLimit: endpoint.maxBody ?? defaultMaxBody,
    // Before the body is read: who is not signed in learns nothing about what would be valid.
    onRequest: async (request, reply) => {
      if (endpoint.access !== 'public') reply.header('cache-control', 'no-store')
      request.caller = await authenticate(ctx, endpoint.access, request.headers).catch((refusal) => {
        ctx.limits.take(limit, null, request, reply)
        throw refusal
      })
      ctx.limits.take(limit, request.caller, request, reply)
    },
    handler: async (request, reply) => {
      const input = { params: request.params, query: request.query, body: fromWire(request.body) }
      validate(input)
      const asked = { ...input, caller: request.caller, http: { request, reply } }
      requireSelf(asked)
      const prepared = await prepare(ctx, asked)
      const call = (db: Context['db']) => act({ ...ctx, db }, asked, prepared)
      const key = request.headers['idempotency-key']
      if (endpoint.idempotent && key !== undefined) {
        const content = [input.params, input.body]
        const keyed = { caller: request.caller, endpoint: name, key: requireKey(key), content }
        const { answer, replayed } = await once(ctx.db, keyed, async (tx) => toJson(await call(tx)))
        ctx.events.poke()
        if (replayed) reply.header('idempotency-replayed', 'true')
        return json(reply).send(toWire(answer))
      }
      const result = await call(ctx.db)
      if (endpoint.method !== 'GET') ctx.events.poke()
      if (reply.sent) return reply
      if (endpoint.response === undefined) return reply.code(204).send()
      if (result instanceof Readable) return reply.type(endpoint.produces!).send(result)
      if (endpoint.produces) return reply.type(endpoint.produces).send(String(result))
      if (isJsonList(result)) return sendList(json(reply), result, pageToWire)
      return json(reply).send(toWire(JSON.stringify(result)))
    },
  })
}

const json = (reply: FastifyReply) => reply.type('application/json; charset=utf-8')

const toJson = async (result: unknown) => (isJsonList(result) ? toText(result) : JSON.stringify(result))
