// What all examples use: where the service is, and wallets for one run.

import { signInWith } from '@parley/sdk'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

export const baseUrl = process.env.PARLEY_URL ?? 'http://127.0.0.1:8080'

/** A new wallet, signed in. In a browser `signMessage` asks the wallet of the person. */
export async function newWallet() {
  const account = privateKeyToAccount(generatePrivateKey())
  const { token } = await signInWith(
    { baseUrl },
    { address: account.address, signMessage: (message) => account.signMessage({ message }) },
  )
  return { address: account.address, token }
}
