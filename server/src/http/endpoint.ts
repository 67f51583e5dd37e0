// This has what a feature adds to the contract of its endpoints: their handlers. route.ts says what happens to a request before
// and after its handler.

import type { Readable } from 'node:stream'
import type { Grant } from '@parley/sdk/contract/grants.ts'
import type { Body, Endpoint, Params, Query, Reply } from '@parley/sdk/contract/endpoint.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Publishing } from '../auth/publishing.ts'
import type { CallerOf } from '../auth/tokens.ts'
import type { Context } from '../context.ts'
import type { JsonList, JsonText } from '../db/pages.ts'
import type { Full } from '../limits/limit-reached.ts'
import type { Granting } from '../messages/add-grant.ts'
import type { RequestKey } from '../messages/message-types.ts'
import type { CallerByHook } from './hook-caller.ts'
import type { PageAnswer } from './plain-pages.ts'
import { route } from './route.ts'

/** A handler gets this: values that are valid, addresses in canonical form. */
interface Request<E extends Endpoint> {
  caller: E extends { byHook: true } ? CallerByHook : CallerOf[E['access']]
  params: Params<E>
  query: Query<E>
  body: Body<E>
  /** This is the request's Idempotency-Key, where the handler stores it (storingKey). */
  key: RequestKey | undefined
  /** Adds what the endpoint grants to a wallet that has signed in; the admin has none. */
  granting: E extends { grants: infer G extends Grant }
    ? Granting<G> | (E extends { access: 'wallet' } ? never : undefined)
    : undefined
  /** Shows that the caller may publish, where the endpoint publishes. */
  publishing: E extends { publishes: true } ? Publishing : undefined
  /** Makes the refusal of one more, where the endpoint adds what has a maximum. */
  full: E extends { adds: string } ? Full : undefined
  http: { request: FastifyRequest; reply: FastifyReply }
}

type Answer<E extends Endpoint> = E extends { produces: 'text/event-stream' }
  ? void
  : E extends { produces: 'application/zip' | 'application/octet-stream' }
    ? Readable
    : E extends { pages: true }
      ? JsonList<ItemOf<E>>
      :
          | Reply<E>
          | JsonText<Reply<E>>
          | (E extends { htmlPages: readonly (infer Status extends number)[] } ? PageAnswer<Status> : never)

type Handler<E extends Endpoint> = (ctx: Context, request: Request<E>) => Promise<Answer<E>>

/** This is a handler whose first step may be slow (it calls a chain, or decodes a picture) and holds no transaction. */
interface TwoSteps<E extends Endpoint> {
  prepare: (ctx: Context, request: Request<E>) => Promise<unknown>
  act: (ctx: Context, request: Request<E>, prepared: never) => Promise<Answer<E>>
  undo: (ctx: Context, prepared: never, error?: unknown) => Promise<void>
}

/**
 * `prepare` may be slow and must not write to the database; `act` does, and receives the result of `prepare`. `undo` takes back
 * what was prepared: when `act` has failed, and without an error when it was not needed, because the request was a repetition.
 */
export const twoSteps = <E extends Endpoint, Prepared>(
  prepare: (ctx: Context, request: Request<E>) => Promise<Prepared>,
  act: (ctx: Context, request: Request<E>, prepared: Prepared) => Promise<Answer<E>>,
  undo: (ctx: Context, prepared: Prepared, error?: unknown) => Promise<void> = async () => {},
): TwoSteps<E> => ({ prepare, act, undo })

/** This is a handler that stores the request's key by itself, in the statement that stores the item. */
interface StoringKey<E extends Endpoint> {
  store: (ctx: Context, request: Request<E>) => Promise<{ item: ItemOf<E>; repeated: boolean }>
}

type ItemOf<E extends Endpoint> = Reply<E> extends (infer Item)[] ? Item : never

export const storingKey = <E extends Endpoint>(store: StoringKey<E>['store']): StoringKey<E> => ({ store })

/** This has one handler per endpoint of a feature. A missing one does not compile. */
export type Handlers<Feature extends Record<string, Endpoint>> = {
  [Name in keyof Feature]: Handler<Feature[Name]> | TwoSteps<Feature[Name]> | StoringKey<Feature[Name]>
}

/** Adds a feature to the server: for each endpoint the path, access check, validation and handler. */
export function serve<Feature extends Record<string, Endpoint>>(
  app: FastifyInstance,
  ctx: Context,
  feature: Feature,
  handlers: Handlers<Feature>,
): void {
  for (const [name, endpoint] of Object.entries(feature)) route(app, ctx, name, endpoint, handlers[name])
}
