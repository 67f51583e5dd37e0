// The text of the SDK is signed by the libraries that sites have: viem, ethers, and a bare wallet as EIP-1193 describes it.

import { createClient, signByProvider, signInWith, textForSite } from '@parley/sdk'
import { decodeJwt } from 'jose'
import { hexToString, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { openEthersWallet } from '../../testing/people/ethers-wallet.ts'
import { injectInto, newWallet, useService } from '../../testing/service/service.ts'

const service = useService({ embedOrigins: ['https://shop.example', 'http://localhost:4173'] })

const key = generatePrivateKey()
const account = privateKeyToAccount(key)
const asked: string[] = []
/** A wallet of a browser: it has the address in lower case, as some have. */
const provider = {
  async request({ method, params = [] }: { method: string; params?: unknown[] }) {
    if (method === 'eth_requestAccounts') return [account.address.toLowerCase()]
    expect([method, params[1]]).toEqual(['personal_sign', account.address.toLowerCase()])
    const message = hexToString(params[0] as Hex)
    asked.push(message)
    return account.signMessage({ message })
  },
}

const signers: Record<string, () => Promise<{ address: string; sign: (text: string) => Promise<string> }>> = {
  viem: async () => ({ address: account.address, sign: (message) => account.signMessage({ message }) }),
  ethers: () => openEthersWallet(key),
  async 'a bare provider'() {
    const [address] = (await provider.request({ method: 'eth_requestAccounts' })) as [string]
    return { address, sign: signByProvider(provider, address) }
  },
}

test.each(Object.entries(signers))('%s signs in to one conversation', async (_, open) => {
  const { address, sign } = await open()
  const [peer, fetch] = [newWallet(), injectInto(service.app)]
  const createMessage = textForSite({ domain: 'shop.example', scopes: [`dm:${peer}`] })
  const { token, expiresIn } = await signInWith(
    { baseUrl: '', fetch },
    { address, signMessage: sign, createMessage },
  )
  expect([decodeJwt(token)['scope'], expiresIn]).toEqual([`dm:${peer}`, 86_400])
  const parley = createClient({ baseUrl: '', fetch, token })
  const body = { fromaddr: address, toaddr: peer, message: 'gm' }
  expect(await parley.sendDirectMessage({ body })).toMatchObject([{ message: 'gm' }])
  await expect(parley.getInbox({ address })).rejects.toMatchObject({ code: 'forbidden' })
})

test('the text has the address as EIP-55 writes it, which wallets ask for, and the page as it is said', async () => {
  const address = account.address.toLowerCase()
  const site = { domain: 'localhost:4173', uri: 'http://localhost:4173/item?id=7', chainId: 8453 }
  const createMessage = textForSite({ ...site, scopes: ['public:read'] })
  const signMessage = signByProvider(provider, address)
  await signInWith({ baseUrl: '', fetch: injectInto(service.app) }, { address, signMessage, createMessage })
  expect(asked.at(-1)).toContain(
    `localhost:4173 wants you to sign in with your Ethereum account:\n${account.address}\n`,
  )
  expect(asked.at(-1)).toContain('URI: http://localhost:4173/item\nVersion: 1\nChain ID: 8453\n')
})

test('a wallet of a chain without texts is told that it signs none for another site', async () => {
  const signIn = signInWith(
    { baseUrl: '', fetch: injectInto(service.app) },
    {
      address: 'tz1VSUr8wwNhLAzempoch5d6hLRiTh8Cjcjb',
      signMessage: async () => '0x',
      createMessage: textForSite({ domain: 'shop.example' }),
    },
  )
  await expect(signIn).rejects.toThrow('Only a wallet of Ethereum or Solana signs a text')
})
