import type { Context } from '../../context.ts'
import type { Tasks } from '../../jobs/tasks.ts'

export const tasks: Pick<Tasks<Context>, 'read-chain-facts'> = {
  // viem takes a while to load, so it is loaded when it is needed.
  'read-chain-facts': async (ctx, payload) => (await import('./facts.ts')).readChainFacts(ctx, payload),
}
