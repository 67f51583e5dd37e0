import type { Chain } from './chain.ts'
import { evm } from './chain-evm.ts'
import { solana } from './chain-solana.ts'

const chains: readonly Chain[] = [evm, solana]

/** Returns the kind of chain of an address; undefined for one whose wallets cannot sign in. */
export const chainOfAddress = (address: string): Chain | undefined =>
  chains.find(({ isAddress }) => isAddress(address))
