import type { Static, TObject, TSchema } from 'typebox'
import type { Grant } from './grants.ts'
import type { Kind, Scope } from './scopes.ts'

/**
 * Says who may call an endpoint: anyone, anyone with a fuller response for a token, a signed-in wallet, a signed-in wallet and
 * the admin API key, or a signed-in wallet that is an operator of the service.
 */
export type Access = 'public' | 'wallet-or-anyone' | 'wallet' | 'wallet-or-admin' | 'operator'

/**
 * The rate limit that a call counts against. `static` is for what costs almost nothing: it counts only by network address.
 * `public-count` and `public-read` are small without a token, and `read` with one: for counts, and for what anyone reads. `picture` is for reading pictures, of which a page of a list
 * shows one in each row. `search` is for searches, beside other reads.
 */
export type LimitClass =
  | 'read'
  | 'write'
  | 'account'
  | 'static'
  | 'public-count'
  | 'public-read'
  | 'picture'
  | 'search'

/**
 * Daily quotas of a wallet: bytes that it stores, those of pictures, conversations with strangers that it begins, comments,
 * communities, reports, files.
 */
export type Quota = 'bytes' | 'pictures' | 'strangers' | 'comments' | 'communities' | 'reports' | 'files'

/**
 * Where the path or the body has what a request is about: of two wallets the one that is not the caller. With `by` the value of
 * that field decides: `dm` is for a wallet, and another for a chat.
 */
export type Place = { readonly [Name in Kind]?: readonly string[] } & { by?: string }

/** One operation of the service. Routes, validation, docs, SDK methods and the tests of all endpoints are made from it. */
export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** The path in OpenAPI form. `params.ts` describes every `{name}` once. */
  path: `/${string}`
  summary: string
  description?: string
  access: Access
  /**
   * Names what must be the calling wallet: a path parameter or, where there is none of that name, a field of the body. Of two,
   * one must be the caller. A field that is left out means the caller itself. The admin may act for anyone.
   */
  self?: string | readonly string[]
  /**
   * An API key, and a sign-in with scopes, need this scope, or one of these, to call the endpoint; each may call `any`, and each
   * sign-in `sign-in`. The endpoint is closed to them when it is left out. The token of a sign-in without scopes needs none.
   */
  scope?: Scope | readonly Scope[] | 'any' | 'sign-in'
  /**
   * Says which value of a request names the wallet, chat or NFT that it is about. A scope for one alone allows nothing where it
   * is left out. `handler`: no value says it, and the handler shows and takes only what the scopes allow.
   */
  place?: Place | 'handler'
  /**
   * The caller is the wallet that has made the incoming hook whose secret is in the path: the secret is the proof, so `access` is
   * `public`. The body may come as a form.
   */
  byHook?: true
  /**
   * The endpoint requires a sign-in that is less than an hour old, for grave decisions. Renewing a token does not count as one.
   */
  recent?: true
  /**
   * The endpoint adds what reads or writes for the wallet after its sign-in has ended. It requires a sign-in that is less than an
   * hour old, the wallet gets a notice and a mail, and the grant ends as server/src/auth/grants.ts says.
   */
  grants?: Grant
  /** For `grants`: a request that adds nothing new may use any sign-in. Its handler decides. */
  renews?: true
  /** The endpoint shows others something from the caller, so a wallet that is muted is refused. */
  publishes?: true
  /** A wallet that is banned may call it too; everything else is refused to that wallet. */
  whenBanned?: true
  query?: TObject
  body?: TSchema
  /** The body is bytes of this media type, which its handler reads as a stream; there is no `body` then. */
  consumes?: 'application/octet-stream'
  /** The response; left out when it is 204 with no body. */
  response?: TSchema
  /**
   * The response is a list that is sent in bounded pages: the handler returns a JsonList (server/src/db/pages.ts), and nothing
   * else compiles. Without it the largest response has at most 1 MiB (server/test/bounds.test.ts).
   */
  pages?: true
  /** The response's media type, when it is not JSON. For an event stream `response` is one event. */
  produces?: 'text/plain' | 'text/event-stream' | 'application/zip' | 'application/octet-stream'
  /** The statuses with which it returns a page for people (`text/html`) to anyone who opens a link. */
  htmlPages?: readonly (200 | 404)[]
  /** The endpoint honours the `Idempotency-Key` header. */
  idempotent?: true
  /** The limit is `read` for a GET and `write` for other methods when it is left out. */
  limit?: LimitClass
  /**
   * The endpoint adds what has a maximum: one above it is 409 (`limit_reached`). This begins the refusal, such as `You already have
   * {most} drafts`.
   */
  adds?: `${string} {most} ${string}`
  /** The quotas that a call by a wallet uses, besides changes. */
  quotas?: readonly Quota[]
  /**
   * The number of its daily changes that a call by a wallet uses, where it is neither a GET nor for operators: KiB that the
   * service stores for it besides the body of one with the quota `bytes`. Left out it is 1, and 1 more for each KiB of a body
   * that is not counted in bytes. It is 0 for messages and posts, which leave nothing else, for what is stored nowhere, and for
   * what ends access: that is never refused because of earlier changes.
   */
  changes?: number
  /**
   * The endpoint works also when the disk is full, because it stores next to nothing. Reading and deleting (GET and DELETE)
   * always do.
   */
  needsRoom?: false
  /** The maximum bytes of a request body; `defaultMaxBody` when left out. */
  maxBody?: number
}

/** The maximum bytes of a request body where the endpoint does not say: 256 KiB. */
export const defaultMaxBody = 256 * 1024

/**
 * Preserves the literal types of a feature's endpoints. The key is the endpoint's only name. A wrong name in `self` does not
 * compile.
 */
export const endpoints = <const T extends Record<string, Endpoint>>(feature: T & SelfOf<T>): T => feature

type SelfOf<T extends Record<string, Endpoint>> = {
  [Name in keyof T]: { self?: SelfName<T[Name]> | readonly SelfName<T[Name]>[] }
}
type SelfName<E extends Endpoint> = E['access'] extends 'public' | 'wallet-or-anyone'
  ? never
  : ParamNames<E['path']> | (string & keyof Body<E>)

/** Returns the `{names}` of a path, in order. */
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
  (E extends { consumes: string } ? { body: Blob | Uint8Array<ArrayBuffer> } : unknown) &
  (E extends { query: infer S extends TSchema } ? { query?: Static<S> } : unknown)
