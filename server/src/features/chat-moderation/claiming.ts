import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { Hex } from 'viem'
import type { Context } from '../../context.ts'
import { getRole } from '../../messages/chat-rules.ts'

/**
 * Passes for the owner of a contract on its home chain, which is then stored. The owner of a contract of the same address on
 * another chain is refused with 409 where the chat has an owner whom owner() still names, and with 403 otherwise, as anybody.
 */
export async function requireContractOwner({ config, db, gate }: Context, contract: Hex, wallet: string) {
  const { readContractOwner } = await import('../../chains/owner.ts')
  const home = await gate.homes.find(contract)
  const owner = home && (await readContractOwner(config, home))
  const isHome = owner === wallet && (await gate.homes.keep(home!)).chain === home!.chain
  if (isHome) return
  const where = home ? `on chain ${home.chain}` : 'on any chain'
  if (owner !== undefined && (await getRole(db, contract, owner)) === 'owner') {
    const others = Object.keys(config.rpcUrls).filter((id) => Number(id) !== home?.chain)
    const owners = await Promise.all(
      others.map((id) => readContractOwner(config, { chain: Number(id), contract }).catch(() => undefined)),
    )
    if (owners.includes(wallet))
      throw new ApiError(
        'conflict',
        `This chat is about the contract ${contract} ${where}, whose owner() is ${owner}, who owns this chat. A contract of the same address on another chain is another one.`,
      )
  }
  throw new ApiError('forbidden', `owner() of ${contract} ${where} does not answer your wallet.`)
}
