import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { names, ResolvedName } from '@parley/sdk/contract/names.ts'
import type { Caller } from '../../auth/tokens.ts'
import { type Config, hasChains } from '../../config/settings.ts'
import type { Context } from '../../context.ts'
import { parseName } from '../../values/display-name.ts'
import { type Handlers, twoSteps } from '../../http/endpoint.ts'
import { badRequest } from '../../http/validation.ts'
import { canonicalAddress } from '../../values/formats.ts'
import * as store from './store.ts'

export const handlers: Handlers<typeof names> = {
  setName: twoSteps(
    async ({ config }, { caller, body }) => {
      const address = requireAddress(caller, body.address)
      const name = parseName(body.name)
      if ('problem' in name) throw badRequest([{ pointer: '/body/name', detail: name.problem }])
      if (name.onChain && !(await isConfirmed(config, name.name, address)))
        throw new ApiError(
          'forbidden',
          `${name.name} is a name of a chain, and ENS does not confirm that this is how it is written and that it points to ${address}. Point it there first, or choose another name.`,
        )
      return { address, name }
    },
    async ({ db }, { body }, named) => store.updateName(db, { ...body, ...named }),
  ),

  async deleteName({ db }, { caller }) {
    await store.deleteName(db, caller.address)
  },

  async getName({ db }, { params: { name } }) {
    return store.findNames(db, canonicalAddress(name), name)
  },

  async resolveName(ctx, { caller, params: { name } }) {
    const found = /\.eth$/i.test(name)
      ? await findInEns(ctx, name, caller.address)
      : await findHere(ctx, name)
    if (!found) throw new ApiError('not_found', `No wallet has the name ${name}.`)
    return found
  },
}

async function findHere({ db }: Context, name: string): Promise<ResolvedName | undefined> {
  const [mapping] = await store.findNamed(db, name)
  return mapping && { address: mapping.address, name: mapping.name, source: 'service' }
}

/**
 * Spec gap: what was set here is not asked: the chain decides who has such a name, and it may have
 * passed to another since.
 */
async function findInEns(
  { config, gate }: Context,
  text: string,
  caller: string,
): Promise<ResolvedName | undefined> {
  const { findOwner, hasEns, normalizeName } = await import('../../chains/ens.ts')
  if (!hasEns(config))
    throw new ApiError(
      'not_found',
      'This service cannot look up names that end with .eth: its operator has not connected it to Ethereum (RPC_URLS).',
    )
  const name = normalizeName(text)
  const address = name && (await findOwner(config, name, () => gate.spend(caller)))
  return address ? { address, name, source: 'ens' } : undefined
}

async function isConfirmed(config: Config, name: string, address: string): Promise<boolean> {
  if (!hasChains(config)) return false
  const { confirmsName } = await import('../../chains/ens.ts')
  return confirmsName(config, name, address)
}

function requireAddress(caller: Caller, address: string | undefined): string {
  if (address !== undefined) return address
  if (caller.kind === 'wallet') return caller.address
  throw badRequest([
    { pointer: '/body/address', detail: 'is required with the admin key: the address to name' },
  ])
}
