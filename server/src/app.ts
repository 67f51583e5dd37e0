import type { Contract } from '@parley/sdk/contract/index.ts'
import type { FastifyInstance } from 'fastify'
import type { Context } from './context.ts'
import type { Feature } from './feature.ts'
import { features } from './features/index.ts'
import { serveMetrics } from './http/metrics-route.ts'
import { serveDocs } from './http/serve-docs.ts'
import { createServer } from './http/server.ts'

type ServedOf<One> = One extends { endpoints: readonly (infer Some)[] } ? Some : never
type NameOf<Some> = Some extends { table: infer Table } ? keyof Table : never
/** The endpoints of the contract that no feature serves. */
type Missing = Exclude<keyof Contract, NameOf<ServedOf<(typeof features)[number]>>>
/** This does not compile when an endpoint is missing. */
const all: [Missing] extends [never] ? readonly Feature[] : Missing = features

/** Builds the whole HTTP service, without listening. */
export async function createApp(ctx: Context): Promise<FastifyInstance> {
  const app = await createServer(ctx)
  serveDocs(
    app,
    ctx.config,
    all.flatMap(({ endpoints = [] }) => endpoints),
  )
  serveMetrics(app, ctx)
  for (const { endpoints = [], pages } of all) {
    for (const { serve } of endpoints) serve(app, ctx)
    await pages?.(app, ctx)
  }
  app.addHook('preClose', async () => ctx.events.endStreams())
  await app.ready()
  return app
}
