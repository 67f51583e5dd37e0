import { signInWith, textForSite } from '@parley/sdk/sign-in.ts'
import { decodeJwt } from 'jose'
import { expect, test } from 'vitest'
import { newSolanaWallet } from '../../../../testing/people/solana-wallet.ts'
import { injectInto, useService } from '../../../../testing/service/service.ts'

const service = useService({ embedOrigins: ['https://shop.example'] })

const sdk = { baseUrl: '', fetch: (...args: Parameters<typeof fetch>) => injectInto(service.app)(...args) }

const refused = { code: 'unauthorized' }

test('a wallet of Solana signs in through the SDK, and its token is for its address as it is', async () => {
  const wallet = newSolanaWallet()
  const { token, expiresIn } = await signInWith(sdk, wallet)
  expect(expiresIn).toBe(86_400)
  expect(decodeJwt(token).sub).toBe(wallet.address)
  const inbox = (of: string) =>
    service.app.inject({ url: `/v1/get_inbox/${of}`, headers: { authorization: `Bearer ${token}` } })
  expect((await inbox(wallet.address)).json()).toEqual([])
  expect((await inbox(wallet.address.toLowerCase())).statusCode).toBe(403)
})

test('the text of the nonce is for an account of Solana only where the address is 32 bytes', async () => {
  const { address } = newSolanaWallet()
  const of = async (wallet: string) => (await service.anonymous.getNonce({ address: wallet })).message
  expect(await of(address)).toContain(`wants you to sign in with your Solana account:\n${address}\n`)
  for (const other of ['1'.repeat(31), '1'.repeat(33), 'tz1VSUr8wwNhLAzempoch5d6hLRiTh8Cjcjb'])
    expect(await of(other)).toContain(`as ${other} with nonce`)
})

test('nobody signs in as another wallet, for another text, or as an address of Ethereum', async () => {
  const [wallet, thief] = [newSolanaWallet(), newSolanaWallet()]
  const { address } = wallet
  await expect(signInWith(sdk, { ...thief, address })).rejects.toMatchObject(refused)
  const garbled = async (message: string) => wallet.signMessage(`${message}.`)
  await expect(signInWith(sdk, { address, signMessage: garbled })).rejects.toMatchObject(refused)
  const evm = `0x${Buffer.from(wallet.key.subarray(0, 20)).toString('hex')}`
  await expect(signInWith(sdk, { ...wallet, address: evm })).rejects.toMatchObject(refused)
  // Everybody can sign for this key, which is of small order.
  const everybody = '11111111111111111111111111111111'
  const sig = `01${'0'.repeat(126)}`
  await expect(signInWith(sdk, { address: everybody, signMessage: async () => sig })).rejects.toMatchObject(
    refused,
  )
})

test('twenty sign-ins at once with one signature give one 200', async () => {
  const wallet = newSolanaWallet()
  const { message } = await service.anonymous.getNonce({ address: wallet.address })
  const payload = { address: wallet.address, msg: message, sig: await wallet.signMessage(message) }
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => service.app.inject({ method: 'POST', url: '/signin', payload })),
  )
  const statuses = answers.map(({ statusCode }) => statusCode)
  expect(statuses.toSorted((a, b) => a - b)).toEqual([200, ...Array<number>(19).fill(401)])
})

test('a site gets a token for the scopes that a wallet of Solana has signed, and for nothing else', async () => {
  const [wallet, seller] = [newSolanaWallet(), newSolanaWallet().address]
  const site = { domain: 'shop.example', uri: 'https://shop.example/' }
  const scopes = [`dm:${seller}`]
  const { token } = await signInWith(sdk, { ...wallet, createMessage: textForSite({ ...site, scopes }) })
  expect(decodeJwt(token)['scope']).toBe(scopes[0])
  await expect(signInWith(sdk, { ...wallet, createMessage: textForSite(site) })).rejects.toMatchObject({
    code: 'bad_request',
  })
})
