import { signInText } from '@parley/sdk'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { openBrowser } from '../service/session-browser.ts'
import { clientOf, newWallet, type Service } from '../service/service.ts'

/** This is a site that may ask for scopes alone. */
export const shop = 'https://shop.example'

/** Returns a wallet that has signed in with a browser, and somebody who writes to it. */
export async function newOwnerOf(service: Service) {
  const account = privateKeyToAccount(generatePrivateKey())
  const address = account.address.toLowerCase()
  const browser = openBrowser(service.app)
  await browser.signIn(account)
  const client = clientOf(service.app, { token: browser.token() })
  return { account, address, browser, client, friend: newWallet() }
}
export type Owner = Awaited<ReturnType<typeof newOwnerOf>>

/** Signs the owner in at another site. Returns the token, and what was sent for it, which somebody may send again. */
export async function signSiteIn(service: Service, { account }: Owner, scopes: readonly string[]) {
  const { address } = account
  const { nonce } = await service.anonymous.getNonce({ address })
  const text = { domain: new URL(shop).host, uri: shop, address, nonce }
  const msg = signInText({ ...text, scopes })
  const payload = { address, msg, sig: await account.signMessage({ message: msg }) }
  const send = (more: object = {}, headers: Record<string, string> = {}) =>
    service.app.inject({
      method: 'POST',
      url: '/signin',
      headers: { origin: shop, 'sec-fetch-site': 'cross-site', ...headers },
      payload: { ...payload, ...more },
    })
  const answer = await send()
  const token = String(answer.headers['authorization']).slice('Bearer '.length)
  return { token, client: clientOf(service.app, { token }), text, send }
}
