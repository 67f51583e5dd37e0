import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { keys } from '@parley/sdk/contract/keys.ts'
import { keyStatementText, parseContractProof } from '@parley/sdk/key-statement.ts'
import type { Handlers } from '../../http/endpoint.ts'
import { badRequest } from '../../http/validation.ts'
import { isEvmAddress } from '../../values/formats.ts'
import * as store from './store.ts'

export const handlers: Handlers<typeof keys> = {
  async publishKey({ db }, { params: { address }, body }) {
    if (body.address !== address)
      throw badRequest([{ pointer: '/body/address', detail: 'must be the address in the path' }])
    const stored = await store.upsertKey(db, body)
    if (stored.length === 0)
      throw new ApiError('conflict', 'Another device has published a key since. Read it again.')
    return stored
  },

  async getKey({ db }, { caller, params: { address } }) {
    return caller.address === address && !caller.scopes
      ? store.findOwnKey(db, address)
      : store.findKey(db, address)
  },

  async verifyKey({ config, gate }, { caller, body: { address, claim, proof } }) {
    const read = parseContractProof(proof)
    if (!read)
      throw badRequest([
        {
          pointer: '/body/proof',
          detail: 'must be parley-contract-1.<chain>.<number>.<signature in base64url without padding>',
        },
      ])
    const text = keyStatementText({ host: new URL(config.publicUrl).host, address, claim }, read)
    if (text === undefined)
      throw badRequest([
        {
          pointer: '/body/claim',
          detail: `must be a public key of 43 characters, on ${read.number} and one, or off ${read.number}: the number is that of the proof`,
        },
      ])
    const { chainId: chain_id, signature } = read
    if (!isEvmAddress(address)) return { holds: false, chain_id }
    const [{ chainOf }, { confirms }] = await Promise.all([
      import('../../chains/contract-view.ts'),
      import('./confirm.ts'),
    ])
    const chain = chainOf(config, chain_id)
    const spend = () => gate.spend(caller.address)
    return { holds: await confirms(config, { chain, address, text, signature }, spend), chain_id }
  },
}
