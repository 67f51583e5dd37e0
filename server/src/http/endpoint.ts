import { Readable } from 'node:stream'
import { bodyRenaming, fieldRenaming } from '@parley/sdk/contract/encryption.ts'
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
import type { Db } from '../db/pool.ts'
import { limitOf } from '../limits/limits.ts'
import type { RequestKey } from '../messages/storing.ts'
import { type AskedKey, keyOf, once } from './idempotency.ts'
import { describe } from './openapi.ts'
import { requireRoom } from './room.ts'
import { isJsonList, sendList, toText } from './send-list.ts'
import { compileSelf, compileValidation } from './validation.ts'

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
  /** The request's Idempotency-Key, where the handler stores it (storingKey). */
  key: RequestKey | undefined
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

/** A handler that stores the request's key by itself, in the statement that stores the item. */
interface StoringKey<E extends Endpoint> {
  store: (ctx: Context, request: Request<E>) => Promise<{ item: ItemOf<E>; repeated: boolean }>
}

type ItemOf<E extends Endpoint> = Reply<E> extends (infer Item)[] ? Item : never

export const storingKey = <E extends Endpoint>(store: StoringKey<E>['store']): StoringKey<E> => ({ store })

/** One handler per endpoint of a feature. A missing one does not compile. */
export type Handlers<Feature extends Record<string, Endpoint>> = {
  [Name in keyof Feature]: Handler<Feature[Name]> | TwoSteps<Feature[Name]> | StoringKey<Feature[Name]>
}

interface AnyRequest {
  caller: Caller | null
  key: AskedKey | undefined
  http: { reply: FastifyReply }
}

/** Answers a request: with what a handler made, once for each key. */
type Run = (ctx: Context, request: AnyRequest) => Promise<unknown>

function runnerOf(handler: unknown): Run {
  const { prepare, act, store } = (typeof handler === 'function' ? { act: handler } : handler) as {
    prepare?: (ctx: Context, request: AnyRequest) => Promise<unknown>
    act: (ctx: Context, request: AnyRequest, prepared: unknown) => Promise<unknown>
    store?: (ctx: Context, request: AnyRequest) => Promise<{ item: unknown; repeated: boolean }>
  }
  const markRepeated = ({ http }: AnyRequest, repeated: boolean) =>
    repeated && http.reply.header('idempotency-replayed', 'true')
  if (store)
    return async (ctx, request) => {
      const { item, repeated } = await store(ctx, request)
      markRepeated(request, repeated)
      return [item]
    }
  return async (ctx, request) => {
    const prepared = await prepare?.(ctx, request)
    if (!request.key) return act(ctx, request, prepared)
    const { answer, repeated } = await once(ctx.db, request.key, async (db) =>
      toJson(db, await act({ ...ctx, db }, request, prepared)),
    )
    markRepeated(request, repeated)
    return new Json(answer)
  }
}

/** Adds a feature to the server: for each endpoint the path, access check, validation, docs and handler. */
export function serve<Feature extends Record<string, Endpoint>>(
  app: FastifyInstance,
  ctx: Context,
  tag: string,
  feature: Feature,
  handlers: Handlers<Feature>,
): void {
  for (const [name, endpoint] of Object.entries(feature))
    route(app, ctx, tag, name, endpoint, runnerOf(handlers[name]))
}

function route(
  app: FastifyInstance,
  ctx: Context,
  tag: string,
  name: string,
  endpoint: Endpoint,
  run: Run,
): void {
  const validate = compileValidation(endpoint)
  const requireSelf = compileSelf(endpoint)
  const limit = limitOf(endpoint)
  const { encryptionVendor } = ctx.config
  const bodyFromWire = bodyRenaming(encryptionVendor)
  const { isNeeded, toWire } = fieldRenaming(encryptionVendor)
  const pageToWire = (page: Buffer) => (isNeeded ? Buffer.from(toWire(page.toString())) : page)

  app.route({
    method: endpoint.method,
    url: endpoint.path.replace(/\{(\w+)\}/g, ':$1').replace(/\/$/, ''),
    schema: describe(app, tag, name, endpoint),
    config: { countsItself: true },
    bodyLimit: endpoint.maxBody ?? defaultMaxBody,
    // Before the body is read: who is not signed in learns nothing about what would be valid.
    onRequest: async (request, reply) => {
      if (endpoint.access !== 'public') reply.header('cache-control', 'no-store')
      request.caller = await authenticate(ctx, endpoint.access, request.headers).catch((refusal) => {
        ctx.limits.take(limit, null, request, reply)
        throw refusal
      })
      ctx.limits.take(limit, request.caller, request, reply)
      requireRoom(ctx, endpoint)
      // An event stream stays in progress; how many there may be is its own limit.
      if (endpoint.produces !== 'text/event-stream') await ctx.limits.begin(request, reply)
    },
    handler: async (request, reply) => {
      const input = { params: request.params, query: request.query, body: bodyFromWire(request.body) }
      validate(input)
      const { caller } = request
      requireSelf({ ...input, caller })
      const key = endpoint.idempotent && keyOf(request, caller, name, [input.params, input.body])
      const asked = { ...input, caller, key, http: { request, reply } }
      const result = await ctx.quotas.charge(endpoint, request, reply, () => run(ctx, asked))
      if (endpoint.method !== 'GET') ctx.events.poke()
      if (reply.sent) return reply
      if (endpoint.response === undefined) return reply.code(204).send()
      if (result instanceof Readable) return reply.type(endpoint.produces!).send(result)
      if (endpoint.produces) return reply.type(endpoint.produces).send(String(result))
      if (isJsonList(result))
        return sendList(json(reply), result, {
          toWire: pageToWire,
          share: ctx.limits.shareOf(request, reply),
        })
      const text = result instanceof Json ? result.text : JSON.stringify(result)
      return json(reply).send(toWire(text))
    },
  })
}

/** An answer that is JSON text already. */
class Json {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

const json = (reply: FastifyReply) => reply.type('application/json; charset=utf-8')

const toJson = async (db: Db, result: unknown) =>
  isJsonList(result) ? toText(db, result) : JSON.stringify(result)
