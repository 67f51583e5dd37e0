import type { Static, TObject, TSchema } from 'typebox'
import type { Grant } from './grants.ts'
import type { Scope } from './scopes.ts'

/**
 * Who may call an endpoint: anyone, anyone with a fuller answer for a token, a signed-in wallet, a
 * signed-in wallet and the admin API key, or a signed-in wallet that is an operator of the service.
 */
export type Access = 'public' | 'wallet-or-anyone' | 'wallet' | 'wallet-or-admin' | 'operator'

/**
 * The rate limit that a call counts against. `static` is for what costs almost nothing: it counts
 * by network address alone. `public-count` is small without a token, and `read` with one.
 */
export type LimitClass = 'read' | 'write' | 'account' | 'static' | 'public-count'

/**
 * What a wallet may have or do only so much of: bytes that it stores in a day, conversations with
 * strangers that it begins in a day, comments in a day, communities in a day and in all, reports in a
 * day, bookmarks in all.
 */
export type Quota = 'bytes' | 'strangers' | 'comments' | 'communities' | 'reports' | 'bookmarks'

/**
 * One operation of the service. Routes, validation, docs, SDK methods and the tests of all
 * endpoints are made from it.
 */
export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** OpenAPI form. Every `{name}` is described once, in `params.ts`. */
  path: `/${string}`
  summary: string
  description?: string
  access: Access
  /**
   * What must be the calling wallet: a path parameter or, where there is none of that name, a field
   * of the body. Of two, one must be. A field that is left out means the caller itself. The admin
   * may act for anyone.
   */
  self?: string | readonly string[]
  /**
   * What an API key must have to call it: this scope or one of these; every key may call `any`. It is closed to keys when
   * left out. Nobody needs a scope with the token of a sign-in.
   */
  scope?: Scope | readonly Scope[] | 'any'
  /**
   * Called as the wallet that has made the incoming hook of which the path has the secret: that is the proof, so `access`
   * is `public`. Its body may come as a form.
   */
  byHook?: true
  /** Takes a sign-in that is less than an hour old: for grave decisions. Renewing a token is none. */
  recent?: true
  /**
   * Adds what reads or writes for the wallet after its sign-in has ended. It takes a sign-in that is less than an hour old, the
   * wallet gets a notice and a mail, and it ends as server/src/auth/grants.ts says.
   */
  grants?: Grant
  /** Of `grants`: a request that adds nothing to what is there takes any sign-in. Its handler decides. */
  renews?: true
  /** Shows others something of the caller: refused to a wallet that is muted. */
  publishes?: true
  /** Also for a wallet that is banned, to which everything else is refused. */
  whenBanned?: true
  query?: TObject
  body?: TSchema
  /** Left out when the answer is 204 with no body. */
  response?: TSchema
  /** The answer's media type, when it is not JSON. For an event stream `response` is one event. */
  produces?: 'text/plain' | 'text/event-stream' | 'application/zip'
  /** Honours the `Idempotency-Key` header. */
  idempotent?: true
  /** `read` for a GET and `write` for other methods when left out. */
  limit?: LimitClass
  /** What a call by a wallet uses up. An endpoint that stores nothing new has none. */
  quotas?: readonly Quota[]
  /**
   * Also works when the disk has no room for more, because it stores next to nothing. Reading and
   * deleting (GET and DELETE) always do.
   */
  needsRoom?: false
  /** Bytes a request body may have; `defaultMaxBody` when left out. */
  maxBody?: number
}

/** Bytes a request body may have where the endpoint does not say: 256 KiB. */
export const defaultMaxBody = 256 * 1024

/**
 * Keeps the literal types of a feature's endpoints. The key is the endpoint's only name. A wrong
 * name in `self` does not compile.
 */
export const endpoints = <const T extends Record<string, Endpoint>>(feature: T & SelfOf<T>): T => feature

type SelfOf<T extends Record<string, Endpoint>> = {
  [Name in keyof T]: { self?: SelfName<T[Name]> | readonly SelfName<T[Name]>[] }
}
type SelfName<E extends Endpoint> = E['access'] extends 'public' | 'wallet-or-anyone'
  ? never
  : ParamNames<E['path']> | (string & keyof Body<E>)

/** The `{names}` of a path, in order. */
export const paramNames = (path: string): string[] =>
  Array.from(path.matchAll(/\{(\w+)\}/g), (match) => match[1]!)

type ParamNames<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never

export type Params<E extends Endpoint> = Record<ParamNames<E['path']>, string>
export type Query<E extends Endpoint> = E extends { query: infer S extends TSchema } ? Static<S> : unknown
export type Body<E extends Endpoint> = E extends { body: infer S extends TSchema } ? Static<S> : undefined
export type Reply<E extends Endpoint> = E extends { response: infer S extends TSchema } ? Static<S> : void

/**
 * The input of a call: path parameters by name, and `body` and `query` where the endpoint has them.
 */
export type Input<E extends Endpoint> = (ParamNames<E['path']> extends never
  ? unknown
  : Record<ParamNames<E['path']>, string | number>) &
  (E extends { body: infer S extends TSchema } ? { body: Static<S> } : unknown) &
  (E extends { query: infer S extends TSchema } ? { query?: Static<S> } : unknown)
