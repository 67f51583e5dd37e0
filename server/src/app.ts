import type { Contract } from '@parley/sdk/contract/index.ts'
import type { FastifyInstance } from 'fastify'
import type { Context } from './context.ts'
import type { Feature, Served } from './feature.ts'
import { features } from './features/index.ts'
import { serveMetrics } from './http/metrics-route.ts'
import { serveDocs } from './http/openapi.ts'
import { createServer } from './http/server.ts'

type NameOf<One> = One extends { endpoints: readonly Served<infer Name>[] } ? Name : never
/** The endpoints of the contract that no feature serves. */
type Missing = Exclude<keyof Contract, NameOf<(typeof features)[number]>>
/** This does not compile when an endpoint is missing. */
const all: [Missing] extends [never] ? readonly Feature[] : Missing = features

/** Builds the whole HTTP service, without listening. */
export async function createApp(ctx: Context): Promise<FastifyInstance> {
  const app = await createServer(ctx)
  await serveDocs(app, ctx.config)
  serveMetrics(app, ctx)
  for (const { endpoints = [], pages } of all) {
    for (const { serve } of endpoints) serve(app, ctx)
    await pages?.(app, ctx)
  }
  app.addHook('preClose', async () => ctx.events.endStreams())
  await app.ready()
  return app
}
