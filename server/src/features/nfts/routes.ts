import type { nfts } from '@parley/sdk/contract/nfts.ts'
import type { Wallet } from '../../auth/tokens.ts'
import { hasChains } from '../../config/settings.ts'
import type { Context } from '../../context.ts'
import type { Handlers } from '../../http/endpoint.ts'
import { isEvmAddress, isUint256 } from '../../values/formats.ts'
import { describeToken, drawToken } from './memory.ts'

export const handlers: Handlers<typeof nfts> = {
  async getNft(ctx, asked) {
    const found = await findToken(ctx, asked)
    if (!found) return []
    const { chainId, collection, name } = found.known
    const { contract, id, spend } = found.asked
    const { readOwner } = await import('../../chains/tokens.ts')
    const owner = await readOwner(ctx.config, { chain: chainId, contract }, id, spend)
    return [{ ...asked.params, chain: String(chainId), collection, name, owner }]
  },

  async getNftPicture(ctx, asked) {
    const found = await findToken(ctx, asked)
    const base64data = found && (await drawToken(found.asked, found.known))
    return base64data ? [{ ...asked.params, base64data }] : []
  },
}

interface Asked {
  caller: Wallet
  params: Record<'nftaddr' | 'nftid', string>
  http: { request: { who: { caller: string; network: string } | null } }
}

async function findToken(ctx: Context, { caller, params: { nftaddr, nftid }, http }: Asked) {
  if (!isEvmAddress(nftaddr) || !isUint256(nftid) || !hasChains(ctx.config)) return undefined
  const asked = {
    config: ctx.config,
    who: http.request.who ?? { caller: caller.address, network: caller.address },
    contract: nftaddr,
    id: BigInt(nftid),
    homes: ctx.gate.homes,
    spend: () => ctx.gate.spend(caller.address),
  }
  const known = await describeToken(asked)
  return known && { asked, known }
}
