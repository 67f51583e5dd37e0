import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { names } from '@parley/sdk/contract/names.ts'
import type { Caller } from '../../auth/tokens.ts'
import { type Config, hasChains } from '../../config/settings.ts'
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

  async getName({ db }, { params: { name } }) {
    return store.findNames(db, canonicalAddress(name), name)
  },
}

async function isConfirmed(config: Config, name: string, address: string): Promise<boolean> {
  if (!hasChains(config)) return false
  const { confirmsName } = await import('./ens.ts')
  return confirmsName(config, name, address)
}

function requireAddress(caller: Caller, address: string | undefined): string {
  if (address !== undefined) return address
  if (caller.kind === 'wallet') return caller.address
  throw badRequest([
    { pointer: '/body/address', detail: 'is required with the admin key: the address to name' },
  ])
}
