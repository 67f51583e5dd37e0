import { Wallet } from 'ethers'

/** Opens a wallet of ethers, which many sites have. */
export async function openEthersWallet(key: string) {
  const wallet = new Wallet(key)
  return { address: await wallet.getAddress(), sign: (text: string) => wallet.signMessage(text) }
}
