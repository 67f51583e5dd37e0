import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { NameMapping, names, ResolvedName } from '@parley/sdk/contract/names.ts'
import type { Caller } from '../../auth/tokens.ts'
import { type Config, hasChains } from '../../config/settings.ts'
import type { Context } from '../../context.ts'
import { parseName } from '../../values/display-name.ts'
import { type Handlers, twoSteps } from '../../http/endpoint.ts'
import { badRequest } from '../../http/validation.ts'
import { deleteUnseen, findUnseen } from '../../messages/unseen.ts'
import { canonicalAddress } from '../../values/formats.ts'
import { foldName } from '../../values/skeleton.ts'
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
    async ({ db }, { body, publishing }, named) => store.updateName(db, publishing, { ...body, ...named }),
  ),

  async deleteName(ctx, { caller: { address } }) {
    await store.deleteName(ctx.db, address)
    await deleteUnseen(ctx, address, 'name', address)
  },

  async getName(ctx, { caller, params: { name } }) {
    const address = canonicalAddress(name)
    const found = await store.findNames(ctx.db, address, name)
    return asSeenBy(ctx, caller.address, { name, address }, found)
  },

  async resolveName(ctx, { caller, params: { name } }) {
    const found = /\.eth$/i.test(name)
      ? await findInEns(ctx, name, caller.address)
      : await findHere(ctx, name, caller.address)
    if (!found) throw new ApiError('not_found', `No wallet has the name ${name}.`)
    return found
  },
}

/** Returns what a wallet can read about a name or an address: for its own, also what it alone sees. */
async function asSeenBy(
  ctx: Pick<Context, 'db' | 'standing'>,
  reader: string,
  query: { name: string; address?: string },
  found: NameMapping[],
): Promise<NameMapping[]> {
  const own = await findUnseen(ctx, reader, 'name', reader)
  if (!own) return found
  const isOwn = query.address === reader || foldName(query.name) === foldName(own.name)
  if (isOwn) return [{ id: own.id, address: reader, name: own.name }]
  return found.filter(({ address }) => address !== reader)
}

async function findHere(ctx: Context, name: string, reader: string): Promise<ResolvedName | undefined> {
  const [mapping] = await asSeenBy(ctx, reader, { name }, await store.findNamed(ctx.db, name))
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
  if (name === undefined)
    throw new ApiError(
      'not_found',
      `${text} cannot be a name in ENS: it has characters, or an order of them, that names there must not have (ENSIP-15).`,
    )
  const address = await findOwner(config, name, () => gate.spend(caller))
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
