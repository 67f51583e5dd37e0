import type { nfts } from '@parley/sdk/contract/nfts.ts'
import type { Wallet } from '../../auth/tokens.ts'
import { hasChains } from '../../config/settings.ts'
import type { Context } from '../../context.ts'
import type { Handlers } from '../../http/endpoint.ts'
import { isEvmAddress, isUint256 } from '../../values/formats.ts'
import { describeToken, drawToken } from './memory.ts'

export const handlers: Handlers<typeof nfts> = {
  async getNft(ctx, request) {
    const found = await findToken(ctx, request)
    if (!found) return []
    const { chainId, collection, name } = found.known
    const { contract, id, spend } = found.query
    const { readOwner } = await import('../../chains/tokens.ts')
    const { owner, isContract } = await readOwner(ctx.config, { chain: chainId, contract }, id, spend)
    const by = isContract ? { owned_by_contract: true as const } : {}
    return [{ ...request.params, chain: String(chainId), collection, name, owner, ...by }]
  },

  async getNftPicture(ctx, request) {
    const found = await findToken(ctx, request)
    const base64data = found && (await drawToken(found.query, found.known))
    return base64data ? [{ ...request.params, base64data }] : []
  },
}

interface TokenRequest {
  caller: Wallet
  params: Record<'nftaddr' | 'nftid', string>
  http: { request: { who: { caller: string; network: string } | null } }
}

async function findToken(ctx: Context, { caller, params: { nftaddr, nftid }, http }: TokenRequest) {
  if (!isEvmAddress(nftaddr) || !isUint256(nftid) || !hasChains(ctx.config)) return undefined
  const query = {
    config: ctx.config,
    who: http.request.who ?? { caller: caller.address, network: caller.address },
    contract: nftaddr,
    id: BigInt(nftid),
    homes: ctx.gate.homes,
    spend: () => ctx.gate.spend(caller.address),
  }
  const known = await describeToken(query)
  return known && { query, known }
}
