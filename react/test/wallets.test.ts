// Each kind of wallet signs in at a real service.

import { signInWith } from '@parley/sdk'
import { createWalletClient, custom } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { base } from 'viem/chains'
import { expect, test } from 'vitest'
import { injectInto, useService } from '../../testing/service/service.ts'
import { signerOf, type Wallet } from '../src/wallet.ts'

const service = useService()

const account = privateKeyToAccount(generatePrivateKey())

/** A wallet of a browser, as EIP-1193 has it. */
const provider = (accounts: string[] = [account.address]) => ({
  request: async ({ method, params }: { method: string; params?: unknown }): Promise<unknown> => {
    if (method === 'eth_requestAccounts') return accounts
    if (method === 'eth_chainId') return '0x2105'
    if (method !== 'personal_sign')
      throw Object.assign(new Error(`${method} is not supported`), { code: 4200 })
    const [raw, address] = params as [`0x${string}`, string]
    expect(address).toBe(account.address)
    return account.signMessage({ message: { raw } })
  },
})
const transport = custom(provider())

const wallets: [string, Wallet, number | undefined][] = [
  ['a provider', provider(), 8453],
  ['a wallet client of viem with a key', createWalletClient({ account, chain: base, transport }), 8453],
  [
    'a wallet client of viem for a browser',
    createWalletClient({ account: account.address, transport }),
    undefined,
  ],
  ['a wallet client of viem without an account', createWalletClient({ transport }), 8453],
  [
    'a signer of ethers',
    {
      getAddress: async () => account.address,
      signMessage: (message: string) => account.signMessage({ message }),
    },
    undefined,
  ],
  [
    'a function',
    { address: account.address, signMessage: (message) => account.signMessage({ message }) },
    undefined,
  ],
]

test.for(wallets)('%s signs in', async ([, wallet, chainId]) => {
  const signer = await signerOf(wallet)
  expect(signer).toMatchObject({ address: account.address })
  expect(signer.chainId).toBe(chainId)
  const options = { baseUrl: '', fetch: injectInto(service.app), retry: false } as const
  const { token } = await signInWith(options, signer)
  expect(token).toMatch(/^ey/)
})

test('a provider without an account, and one that refuses, throw', async () => {
  await expect(signerOf(provider([]))).rejects.toThrow('The wallet has no account.')
  const refusing = {
    request: async () => {
      throw Object.assign(new Error('no'), { code: 4001 })
    },
  }
  await expect(signerOf(refusing)).rejects.toMatchObject({ code: 4001 })
})
