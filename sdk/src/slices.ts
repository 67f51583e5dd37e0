// A client needs this about an endpoint to call it. In this repository that is the contract. The published package has tables of
// methods and paths in place of it, one per feature, so that a bundle has neither models nor texts (tools/pack-sdk.ts).

import type { Endpoint } from './contract/endpoint.ts'

export * from './contract/features.ts'

/** The part of an endpoint that a call needs. */
export type Call = Pick<Endpoint, 'method' | 'path' | 'produces' | 'consumes' | 'idempotent'>

declare const endpoint: unique symbol
/** A call with the type of its endpoint, which has no value. */
export type CallOf<Of extends Endpoint> = Call & { readonly [endpoint]?: Of }
export type EndpointOf<Of extends Call> = Of extends Endpoint
  ? Of
  : Of extends { readonly [endpoint]?: infer E }
    ? Extract<E, Endpoint>
    : never
export type SliceOf<Feature extends Record<string, Endpoint>> = {
  readonly [Name in keyof Feature]: CallOf<Feature[Name]>
}
