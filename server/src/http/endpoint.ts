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
import { describe } from './openapi.ts'
import { once, requireKey } from './idempotency.ts'
import type { JsonList } from '../db/pages.ts'
import { limitOf } from '../limits/limits.ts'
import { taken } from '../db/taken.ts'
import { compileValidation } from './validation.ts'
import { type VendorNames, vendorNames } from '../values/encryption-fields.ts'

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

/** A handler whose first step may take long (a chain is asked, a picture decoded) and holds no transaction. */
interface TwoSteps<E extends Endpoint> {
  prepare: (ctx: Context, request: Request<E>) => Promise<unknown>
  act: (ctx: Context, request: Request<E>, prepared: never) => Promise<Answer<E>>
}

/** Makes a handler of two steps: what may take long and only looks, and the deed, which is given what was found. */
export const twoSteps = <E extends Endpoint, Prepared>(
  prepare: (ctx: Context, request: Request<E>) => Promise<Prepared>,
  act: (ctx: Context, request: Request<E>, prepared: Prepared) => Promise<Answer<E>>,
): TwoSteps<E> => ({ prepare, act })

/** One handler per endpoint of a slice. A missing one does not compile. */
export type Handlers<Slice extends Record<string, Endpoint>> = {
  [Name in keyof Slice]: Handler<Slice[Name]> | TwoSteps<Slice[Name]>
}

interface AnyTwoSteps {
  prepare: (ctx: Context, request: unknown) => Promise<unknown>
  act: (ctx: Context, request: unknown, prepared: unknown) => Promise<unknown>
}

const asTwoSteps = (handler: unknown): AnyTwoSteps =>
  typeof handler === 'function'
    ? { prepare: async () => undefined, act: handler as AnyTwoSteps['act'] }
    : (handler as AnyTwoSteps)

/** Puts a slice on the server: for each endpoint the path, access check, validation, docs and handler. */
export function serve<Slice extends Record<string, Endpoint>>(
  app: FastifyInstance,
  ctx: Context,
  tag: string,
  slice: Slice,
  handlers: Handlers<Slice>,
): void {
  for (const [name, endpoint] of Object.entries(slice))
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
  const limit = limitOf(endpoint)
  const names = vendorNames(ctx.config.encryptionVendor)

  app.route({
    method: endpoint.method,
    url: endpoint.path.replace(/\{(\w+)\}/g, ':$1').replace(/\/$/, ''),
    schema: describe(app, tag, name, endpoint),
    bodyLimit: endpoint.maxBody ?? defaultMaxBody,
    // Before the body is even read: a stranger learns nothing about what would be valid.
    onRequest: async (request, reply) => {
      if (endpoint.access !== 'public') reply.header('cache-control', 'no-store')
      request.caller = await authenticate(ctx, endpoint.access, request.headers).catch((refusal) => {
        ctx.limits.take(limit, null, request, reply)
        throw refusal
      })
      ctx.limits.take(limit, request.caller, request, reply)
    },
    handler: async (request, reply) => {
      const input = { params: request.params, query: request.query, body: names.incoming(request.body) }
      validate(input)
      const asked = { ...input, caller: request.caller, http: { request, reply } }
      const prepared = await prepare(ctx, asked)
      const call = (db: Context['db']) => act({ ...ctx, db }, asked, prepared)
      const key = request.headers['idempotency-key']
      if (endpoint.idempotent && key !== undefined) {
        const { params, body } = input
        const keyed = {
          caller: request.caller,
          endpoint: name,
          key: requireKey(key),
          content: [params, body],
        }
        const { answer, replayed } = await once(ctx.db, keyed, async (tx) => toJson(await call(tx)))
        ctx.events.poke()
        if (replayed) reply.header('idempotency-replayed', 'true')
        return json(reply).send(names.outgoing(answer))
      }
      const result = await call(ctx.db)
      if (endpoint.method !== 'GET') ctx.events.poke()
      if (reply.sent) return reply
      if (endpoint.response === undefined) return reply.code(204).send()
      if (result instanceof Readable) return reply.type(endpoint.produces!).send(result)
      if (endpoint.produces) return reply.type(endpoint.produces).send(String(result))
      if (isJsonList(result)) return sendList(json(reply), result, names.outgoing)
      return json(reply).send(names.outgoing(JSON.stringify(result)))
    },
  })
}

const json = (reply: FastifyReply) => reply.type('application/json; charset=utf-8')

const isJsonList = (result: unknown): result is JsonList<unknown> =>
  typeof result === 'object' && result !== null && 'pages' in result

async function toJson(result: unknown): Promise<string> {
  if (!isJsonList(result)) return JSON.stringify(result)
  return `[${(await Array.fromAsync<string | Buffer>(result.pages)).join(',')}]`
}

/** What is long goes as bytes: as a string it would be copied by every garbage collection until it is sent. */
function joined(parts: (string | Buffer)[]): string | Buffer {
  if (parts.reduce((sum, part) => sum + part.length, 0) < 16_384) return parts.join('')
  const bytes = Buffer.allocUnsafeSlow(parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0))
  let end = 0
  for (const part of parts) {
    end += typeof part === 'string' ? bytes.write(part, end) : part.copy(bytes, end)
    if (typeof part !== 'string') release(part)
  }
  return bytes
}

/** Gives back the memory of bytes that nobody needs any longer, at once: long before the garbage collector would. */
function release({ buffer, byteLength }: Buffer): void {
  const isAll = buffer.byteLength === byteLength
  if (isAll && buffer instanceof ArrayBuffer) buffer.transfer(0)
}

const inBrackets = (pages: (string | Buffer)[]) =>
  joined(['[', ...pages.flatMap((page) => [',', page]).slice(1), ']'])

/** Sends a list at once when all of it is there or it is one page, else as a stream at the pace of the reader. */
async function sendList(
  reply: FastifyReply,
  { pages }: JsonList<unknown>,
  outgoing: VendorNames['outgoing'],
): Promise<FastifyReply> {
  if (Array.isArray(pages)) return reply.send(inBrackets(taken(pages).map(outgoing)))
  const rest = pages[Symbol.asyncIterator]()
  // The first page comes before the status is sent, so that a failure still gets its own.
  const first = await rest.next()
  const second: IteratorResult<string | Buffer> = first.done ? first : await rest.next()
  if (second.done) return reply.send(inBrackets(first.done ? [] : [outgoing(first.value)]))

  async function* text() {
    try {
      yield joined(['[', outgoing(first.value)])
      for (let page = second; !page.done; page = await rest.next()) yield joined([',', outgoing(page.value)])
      yield ']'
    } finally {
      // The reader may leave in the middle.
      await rest.return?.()
    }
  }
  return reply.send(Readable.from(text(), { objectMode: false, highWaterMark: 1 }))
}
