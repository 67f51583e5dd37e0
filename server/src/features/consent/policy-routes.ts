import type { DmPolicy, dmPolicy } from '@parley/sdk/contract/dm-policy.ts'
import type { Config } from '../../config/settings.ts'
import type { Handlers } from '../../http/endpoint.ts'
import { badRequest } from '../../http/validation.ts'
import { getPolicy } from '../../messages/dm-policy.ts'
import { isEvmAddress } from '../../values/formats.ts'
import * as policies from './policies.ts'

export const handlers: Handlers<typeof dmPolicy> = {
  async getOwnDmPolicy({ db, config }, { caller }) {
    return policies.getOwnPolicy(db, caller.address, config.dmDefault)
  },

  async getDmPolicy({ db, config }, { params: { address } }) {
    return getPolicy(db, address, config.dmDefault)
  },

  async setDmPolicy({ db, config }, { caller, body }) {
    await policies.setPolicy(db, caller.address, requireKnownToken(body, config))
    return getPolicy(db, caller.address, config.dmDefault)
  },
}

/** Requires a policy whose token the service can query; only the policy for holders has one. */
function requireKnownToken({ who, token }: DmPolicy, { rpcUrls }: Pick<Config, 'rpcUrls'>): DmPolicy {
  if (who !== 'holders') return { who }
  if (!token) throw badRequest([{ pointer: '/body/token', detail: 'is required: whose holders may write' }])
  if (!isEvmAddress(token.contract))
    throw badRequest([
      { pointer: '/body/token/contract', detail: 'must be an NFT contract: 0x and 40 hexadecimal digits' },
    ])
  if (!(token.chain in rpcUrls)) {
    const chains = Object.keys(rpcUrls).join(', ') || 'none'
    throw badRequest([
      { pointer: '/body/token/chain', detail: `must be a chain that this service asks: ${chains}` },
    ])
  }
  return { who, token }
}
