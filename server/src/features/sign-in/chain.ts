import type { Config } from '../../config/settings.ts'
import type { SiweFields } from './siwe.ts'

export interface Signed {
  /** The canonical address of the wallet. */
  address: string
  text: string
  /** The signature as it was sent. */
  signature: string
  /** The chain that a text of EIP-4361 names. */
  chainId: number | undefined
}

/** How wallets of one kind of chain sign in: what their addresses, texts and signatures look like. The shape of an address chooses it. */
export interface Chain {
  isAddress: (address: string) => boolean
  /** Returns an address as a text to sign has it. */
  written: (address: string) => string
  /** Reads a text to sign in; null for one that departs from the grammar in any part. */
  parse: (text: string) => SiweFields | null
  /** Returns true when the wallet signed the text; a chain that does not answer is a 502. */
  verify: (config: Pick<Config, 'rpcUrls'>, signed: Signed) => Promise<boolean>
}
