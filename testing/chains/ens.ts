import { getAddress, namehash } from 'viem'
import { universalResolver } from '../../server/src/chains/ens.ts'
import type { Chain } from './chain.ts'

/** Installs ENS at its address on Ethereum. */
export async function installEns(chain: Chain) {
  const deployed = await chain.deploy('Ens.sol', 'UniversalResolver')
  const resolver = await chain.deploy('Ens.sol', 'Resolver')
  const bytecode = (await chain.client.getCode({ address: deployed.address }))!
  await chain.client.setCode({ address: universalResolver, bytecode })
  const registry = { address: getAddress(universalResolver), abi: deployed.abi }
  const write = async (contract: typeof registry, functionName: string, args: unknown[]) => {
    const hash = await chain.client.writeContract({ ...contract, functionName, args })
    await chain.client.waitForTransactionReceipt({ hash })
  }
  return {
    /** Makes a contract resolve a name. */
    resolveBy: (name: string, address: string) => write(registry, 'setResolver', [namehash(name), address]),
    /** Makes an address claim a name. */
    call: (address: string, name: string) => write(registry, 'setName', [address, name]),
    /** Points a name to an address. */
    async point(name: string, address: string) {
      await write(registry, 'setResolver', [namehash(name), resolver.address])
      await write({ ...resolver, address: getAddress(resolver.address) }, 'setAddr', [
        namehash(name),
        address,
      ])
    },
  }
}

export type Ens = Awaited<ReturnType<typeof installEns>>
