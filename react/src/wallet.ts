// Any wallet that can sign a text: what viem, ethers and browsers have, or a function of the site. What one kind has not is
// `undefined` in its type, by which the compiler knows the kinds apart.

/** A provider as EIP-1193 has it, such as `window.ethereum`. */
export interface Eip1193Provider {
  // Providers restrict methods and parameters by types of their own.
  request: (args: never) => Promise<unknown>
  account?: undefined
  getAddress?: undefined
}

/** A client of viem, which wagmi gives too; its account signs. */
export interface ViemWalletClient {
  /** Without an account its `request` asks for one. */
  account: { address: string } | undefined
  request: (args: never) => Promise<unknown>
  chain?: { id: number } | undefined
  getAddress?: undefined
  signMessage: (args: never) => Promise<string>
}

/** A signer of ethers. */
export interface EthersSigner {
  getAddress: () => Promise<string>
  signMessage: (message: string) => Promise<string>
  account?: undefined
  request?: undefined
}

/** Anything else that signs: EIP-191, or EIP-1271 or EIP-6492 for a smart wallet. */
export interface Signer {
  address: string
  chainId?: number
  signMessage: (message: string) => Promise<string>
  account?: undefined
  getAddress?: undefined
  request?: undefined
}

export type Wallet = Eip1193Provider | ViemWalletClient | EthersSigner | Signer

/** Returns the address of a wallet and how it signs. It may ask the person for the account. */
export async function signerOf(wallet: Wallet): Promise<Signer> {
  if (wallet.account) {
    const { account, chain } = wallet
    const sign = wallet.signMessage.bind(wallet) as (args: object) => Promise<string>
    const signMessage = (message: string) => sign({ account, message })
    return { address: account.address, signMessage, ...(chain && { chainId: chain.id }) }
  }
  if (wallet.getAddress) {
    const signMessage = (message: string) => wallet.signMessage(message)
    return { address: await wallet.getAddress(), signMessage }
  }
  if (!wallet.request) return wallet
  const ask = (method: string, params?: unknown[]) =>
    (wallet.request as (args: object) => Promise<unknown>)({ method, ...(params && { params }) })
  const [address] = (await ask('eth_requestAccounts')) as string[]
  if (!address) throw new Error('The wallet has no account.')
  const chain = await ask('eth_chainId').catch(() => undefined)
  const signMessage = (message: string) => ask('personal_sign', [hexOf(message), address]) as Promise<string>
  return { address, signMessage, ...(chain !== undefined && { chainId: Number(chain) }) }
}

const hexOf = (text: string): string =>
  `0x${Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0')).join('')}`
