import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { nfts } from '@parley/sdk/contract/nfts.ts'
import type { FastifyRequest } from 'fastify'
import type { Wallet } from '../../auth/tokens.ts'
import { hasChains } from '../../config/settings.ts'
import type { Context } from '../../context.ts'
import type { Handlers } from '../../http/endpoint.ts'
import { badRequest } from '../../http/validation.ts'
import { type Who, whoSends } from '../../limits/concurrency.ts'
import { networkOf } from '../../limits/network.ts'
import { getPolicy } from '../../messages/dm-policy.ts'
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

  async getNftOwner(ctx, { params, query: { chain }, http }) {
    const { config, db } = ctx
    const found = await findContract(ctx, params.nftaddr, chain, http.request)
    if (!found || !isUint256(params.nftid)) return []
    const { readOwner } = await import('../../chains/tokens.ts')
    const { on, spend } = found
    const { owner, isContract } = await readOwner(config, on, BigInt(params.nftid), spend)
    if (owner === '' || isNobody(owner)) return []
    const { who } = await getPolicy(db, owner, config.dmDefault)
    http.reply.header('cache-control', 'public, max-age=60')
    return [{ owner, is_contract: isContract, accepts: who }]
  },

  async getNftPicture(ctx, request) {
    const found = await findToken(ctx, request)
    const base64data = found && (await drawToken(found.query, found.known))
    return base64data ? [{ ...request.params, base64data }] : []
  },
}

/** Tokens are burnt by sending them there. */
const isNobody = (owner: string): boolean => /^0x(0{40}|0{36}dead)$/.test(owner)

/** Finds a contract for anyone, at the expense of the network address. */
async function findContract(
  { config, gate }: Context,
  contract: string,
  chain: number | undefined,
  request: FastifyRequest,
) {
  const { embedContracts } = config
  if (embedContracts.length > 0 && !embedContracts.includes(contract))
    throw new ApiError('forbidden', 'This service tells nobody who owns tokens of this contract.')
  if (!isEvmAddress(contract) || !hasChains(config)) return undefined
  if (chain !== undefined && !(chain in config.rpcUrls))
    throw badRequest([{ pointer: '/query/chain', detail: 'must be a chain that this service asks' }])
  const spend = () => gate.spend(networkOf(request), 'your network address')
  if (chain !== undefined) return { on: { chain, contract }, spend }
  // A home that is known costs no call.
  if (!gate.homes.last(contract)) spend()
  const on = await gate.homes.find(contract)
  return on && { on, spend }
}

interface TokenRequest {
  caller: Wallet
  params: Record<'nftaddr' | 'nftid', string>
  http: { request: { who: Who | null } }
}

async function findToken(ctx: Context, { caller, params: { nftaddr, nftid }, http }: TokenRequest) {
  if (!isEvmAddress(nftaddr) || !isUint256(nftid) || !hasChains(ctx.config)) return undefined
  const query = {
    config: ctx.config,
    who: whoSends(http.request.who, caller),
    contract: nftaddr,
    id: BigInt(nftid),
    homes: ctx.gate.homes,
    spend: () => ctx.gate.spend(caller.address),
  }
  const known = await describeToken(query)
  return known && { query, known }
}
