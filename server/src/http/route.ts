// Handles a request of an endpoint in this order: authentication, limits, scopes of a key or token, sanctions, the body, validation, the
// check of the caller, its Idempotency-Key, quotas, the handler, the response.

import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { bodyRenaming, fieldRenaming } from '@parley/sdk/contract/encryption.ts'
import { defaultMaxBody, type Endpoint } from '@parley/sdk/contract/endpoint.ts'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { publishingByAdmin, requirePublishing } from '../auth/publishing.ts'
import type { Caller } from '../auth/tokens.ts'
import type { Context } from '../context.ts'
import { JsonList, JsonText } from '../db/pages.ts'
import type { Db } from '../db/pool.ts'
import { fullOf } from '../limits/limit-reached.ts'
import { admitting, walletOf } from './admit.ts'
import { leaveBytes, parseForms } from './bodies.ts'
import { answerBefore, type AskedKey, once } from './idempotency.ts'
import { grantingOf } from '../messages/add-grant.ts'
import { PageAnswer, sendPage } from './plain-pages.ts'
import { requireScope } from './scopes.ts'
import { afterWriting, sendList, toText } from './send-list.ts'
import { compileSelf, compileValidation } from './validation.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
  }
}

/** Adds an endpoint to the server: its path, access check, validation and handler (endpoint.ts). */
export function route(
  app: FastifyInstance,
  ctx: Context,
  name: string,
  endpoint: Endpoint,
  handler: unknown,
): void {
  const run = runnerOf(handler)
  const validate = compileValidation(endpoint)
  const requireSelf = compileSelf(endpoint)
  const full = endpoint.adds && fullOf(endpoint.adds)
  const { encryptionVendor } = ctx.config
  const bodyFromWire = bodyRenaming(encryptionVendor)
  const { isNeeded, toWire } = fieldRenaming(encryptionVendor)
  const pageToWire = (page: Buffer) => (isNeeded ? Buffer.from(toWire(page.toString())) : page)

  const options: RouteOptions = {
    method: endpoint.method,
    url: urlOf(endpoint),
    // A file of somebody or a page for people may be shown by a browser.
    config: { countsItself: true, isData: !endpoint.htmlPages && endpoint.produces === undefined },
    bodyLimit: endpoint.maxBody ?? defaultMaxBody,
    onRequest: admitting(ctx, endpoint),
    handler: async (request, reply) => {
      const input = { params: request.params, query: request.query, body: bodyFromWire(request.body) }
      const { caller } = request
      const wallet = walletOf(caller)
      validate(input, { isProgram: wallet?.apiKey !== undefined || endpoint.byHook === true })
      requireSelf({ ...input, caller })
      if (wallet) requireScope(endpoint, wallet, input)
      const key = endpoint.idempotent && keyOf(request, caller, name, [input.params, input.body])
      const granting = grantingFor(endpoint, caller)
      const parts = { ...input, caller, key, granting, full, http: { request, reply } }
      const handlerInput = endpoint.publishes ? new PublishingInput(ctx, parts) : parts
      const result = await ctx.quotas.charge(endpoint, request, reply, () => run(ctx, handlerInput))
      if (endpoint.method !== 'GET') ctx.events.poke()
      if (reply.sent) return reply
      if (result instanceof PageAnswer) return sendPage(reply, result.page)
      if (endpoint.response === undefined) return reply.code(204).send()
      if (result instanceof Readable) {
        if (!reply.hasHeader('content-type')) reply.type(endpoint.produces!)
        return reply.send(result)
      }
      if (endpoint.produces) return reply.type(endpoint.produces).send(String(result))
      if (result instanceof JsonList) {
        const share = ctx.limits.shareOf(request, reply)
        return sendList(json(reply), result, {
          toWire: pageToWire,
          share: endpoint.method === 'GET' ? share : afterWriting(share, ctx.db),
        })
      }
      const text = result instanceof JsonText ? result.text : JSON.stringify(result)
      return json(reply).send(toWire(text))
    },
  }
  const { byHook, consumes } = endpoint
  if (byHook) routeWith(app, options, parseForms)
  else if (consumes) routeWith(app, options, (scope) => leaveBytes(scope, consumes))
  else app.route(options)
}

/** Returns the path of an endpoint as Fastify writes it. */
export const urlOf = ({ path }: Endpoint) => path.replace(/\{(\w+)\}/g, ':$1').replace(/\/$/, '')

/** Adds a route that accepts other bodies than all others. */
const routeWith = (app: FastifyInstance, options: RouteOptions, parse: (scope: FastifyInstance) => void) =>
  app.register(async (scope) => {
    parse(scope)
    scope.route(options)
  })

const grantingFor = ({ grants }: Endpoint, caller: Caller | null) =>
  grants && caller?.kind === 'wallet' ? grantingOf(caller, grants) : undefined

/**
 * Shows that the caller may publish. It is checked when it is used: a picture may have waited until it was drawn. The getter is
 * one of a class: V8 would make a hidden class for each object literal with a getter, and hold the request until the old space is
 * collected.
 */
class PublishingInput implements AnyRequest {
  declare readonly caller: Caller | null
  declare readonly key: AskedKey | undefined
  declare readonly http: AnyRequest['http']
  readonly #standing: Context['standing']

  constructor({ standing }: Pick<Context, 'standing'>, parts: AnyRequest) {
    this.#standing = standing
    Object.assign(this, parts)
  }

  get publishing() {
    const { caller } = this
    return caller?.kind === 'wallet' ? requirePublishing(this.#standing, caller.address) : publishingByAdmin
  }
}

/**
 * Returns the `Idempotency-Key` of a request, undefined when it has none. Two requests are the same when their `content` is
 * equal.
 */
function keyOf(
  { headers }: FastifyRequest,
  caller: Caller | null,
  endpoint: string,
  content: unknown,
): AskedKey | undefined {
  const key = headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key))
    throw new ApiError(
      'bad_request',
      'Idempotency-Key must be 1 to 255 visible ASCII characters, such as a UUID.',
    )
  return {
    caller: caller?.kind === 'wallet' ? caller.address : (caller?.kind ?? 'anyone'),
    key: `${endpoint} ${key}`,
    request: createHash('sha256').update(JSON.stringify(content)).digest(),
    content,
  }
}

interface AnyRequest {
  caller: Caller | null
  key: AskedKey | undefined
  http: { reply: FastifyReply }
}

/** Responds to a request: with the result of a handler, once for each key. */
type Run = (ctx: Context, request: AnyRequest) => Promise<unknown>

function runnerOf(handler: unknown): Run {
  const { prepare, act, undo, store } = (typeof handler === 'function' ? { act: handler } : handler) as {
    prepare?: (ctx: Context, request: AnyRequest) => Promise<unknown>
    act: (ctx: Context, request: AnyRequest, prepared: unknown) => Promise<unknown>
    undo?: (ctx: Context, prepared: unknown, error?: unknown) => Promise<void>
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
    // A repeated request is not prepared again.
    const before = prepare && request.key && (await answerBefore(ctx.db, request.key))
    if (before !== undefined) {
      markRepeated(request, true)
      return new JsonText(before)
    }
    const prepared = await prepare?.(ctx, request)
    try {
      if (!request.key) return await act(ctx, request, prepared)
      const { answer, repeated } = await once(ctx.db, request.key, async (db) =>
        toJson(db, await act({ ...ctx, db }, request, prepared)),
      )
      if (repeated) await undo?.(ctx, prepared)
      markRepeated(request, repeated)
      return new JsonText(answer)
    } catch (error) {
      await undo?.(ctx, prepared, error)
      throw error
    }
  }
}

const json = (reply: FastifyReply) => reply.type('application/json; charset=utf-8')

const toJson = async (db: Db, result: unknown) =>
  result instanceof JsonList
    ? toText(db, result)
    : result instanceof JsonText
      ? result.text
      : JSON.stringify(result)
