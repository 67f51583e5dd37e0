import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { ownership } from '@parley/sdk/contract/ownership.ts'
import { hasChains } from '../../config/settings.ts'
import type { Handlers } from '../../http/endpoint.ts'
import { isEvmAddress } from '../../values/formats.ts'
import * as store from './store.ts'

export const handlers: Handlers<typeof ownership> = {
  // Spec gap: what is answered. The contract's name and its chat as the caller knows it; of the
  // wallet that was asked about nothing but that it is a holder.
  async checkOwnership(ctx, { caller, params: { contract, wallet } }) {
    if (!isEvmAddress(contract) || !isEvmAddress(wallet)) return []
    if (!hasChains(ctx.config)) throw noChain()
    ctx.gate.spend(caller.address)
    const [{ holdsToken }, { readName }] = await Promise.all([
      import('../../chains/ownership.ts'),
      import('../../chains/contracts.ts'),
    ])
    const home = await ctx.gate.homes.find(contract)
    if (!home || !(await holdsToken(ctx, home, wallet))) return []
    const name = await readName(ctx, home)
    const chat = await store.getChat(ctx.db, contract, caller.address)
    const isClosed = (await ctx.gate.closedTo(caller.address, [contract])).length > 0
    // The number of members says something about a chat, too.
    if (isClosed) Object.assign(chat, { members: 0, has_messaged: false })
    return [{ name, is_verified: true, ...chat, messages: [], social: [], tweets: [] }]
  },
}

const noChain = () =>
  new ApiError(
    'unavailable',
    'This service cannot check who owns what: its operator has configured no chain (RPC_URLS).',
    { retryAfter: 3600 },
  )
