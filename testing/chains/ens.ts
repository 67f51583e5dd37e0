import { getAddress, namehash } from 'viem'
import { toCoinType } from 'viem/ens'
import { reverseRegistrar, universalResolver } from '../../server/src/chains/ens.ts'
import type { Chain } from './chain.ts'

/** Installs ENS at its addresses on Ethereum and on the other chains, all of which are one chain here. */
export async function installEns(chain: Chain) {
  const deployAt = async (at: string, contractName: string) => {
    const deployed = await chain.deploy('Ens.sol', contractName)
    const bytecode = (await chain.client.getCode({ address: deployed.address }))!
    const address = getAddress(at)
    await chain.client.setCode({ address, bytecode })
    return { address, abi: deployed.abi }
  }
  const registry = await deployAt(universalResolver, 'UniversalResolver')
  const registrar = await deployAt(reverseRegistrar, 'ReverseRegistrar')
  const resolver = await chain.deploy('Ens.sol', 'Resolver')
  const point = async (name: string, functionName: string, args: unknown[]) => {
    await chain.write(registry, 'setResolver', [namehash(name), resolver.address])
    await chain.write({ ...resolver, address: getAddress(resolver.address) }, functionName, [
      namehash(name),
      ...args,
    ])
  }
  return {
    /** Makes a contract resolve a name. */
    resolveBy: (name: string, address: string) =>
      chain.write(registry, 'setResolver', [namehash(name), address]),
    /** Makes an address claim a name. */
    call: (address: string, name: string) => chain.write(registry, 'setName', [address, name]),
    /** Makes an address claim a name on another chain. */
    callElsewhere: (address: string, name: string) =>
      chain.write(registrar, 'setNameForAddr', [address, name]),
    /** Points a name to an address. */
    point: (name: string, address: string) => point(name, 'setAddr', [address]),
    /** Points a name to an address on another chain. */
    pointOn: (chainId: number, name: string, address: string) =>
      point(name, 'setAddrOn', [toCoinType(chainId), address]),
    /** Gives an address a name that is confirmed. */
    async name(address: string, name: string) {
      await point(name, 'setAddr', [address])
      await chain.write(registry, 'setName', [address, name])
    },
  }
}

export type Ens = Awaited<ReturnType<typeof installEns>>
