// The wallets stay in the page of the site. The frame gets their names, and never one of them.

import { textWith } from '@parley/sdk/sign-in-text.ts'
import type { Account, Asked, WalletShown } from '../protocol.ts'
import { scopesOf } from '../scopes.ts'
import { statementOf } from './statement.ts'

interface Provider {
  request: (asked: { method: string; params: unknown[] | undefined }) => Promise<unknown>
}

interface Announced {
  info: { uuid: string; name: string; icon: string }
  provider: Provider
}

/** A site that has connected a wallet already gives these to the element. */
export interface OwnWallet {
  address?: string
  chainId?: number
  signMessage?: (text: string) => string | Promise<string>
}

const own = 'own'
const refusal = 'This page signs a sign-in for what it shows, and nothing else.'

/** Makes the text again of what this page knows itself: only the nonce and the times are the service's. Any other text differs. */
function isOurs(text: string, { address, chainId }: Account, path: string): boolean {
  const valueOf = (name: string) => new RegExp(`^${name}: ([\\w:.-]+)$`, 'm').exec(text)?.[1] ?? ''
  const { host: domain, origin: uri } = location
  const fields = {
    domain,
    uri,
    // A wallet may give its address in small letters, and the service writes it as EIP-55 does.
    address: new RegExp(address, 'i').exec(text)?.[0] ?? address,
    chainId,
    nonce: valueOf('Nonce'),
    issuedAt: valueOf('Issued At'),
    expirationTime: valueOf('Expiration Time'),
    scopes: scopesOf(path),
  }
  return textWith(statementOf(path, domain), fields) === text
}

/** Finds the wallets that announce themselves (EIP-6963), and answers what the frame asks of them. */
export function findWallets(site: OwnWallet, path: string, show: (wallets: WalletShown[]) => void) {
  const found = new Map<string, Announced>()
  const showAll = () => {
    const isOwn = site.signMessage && site.address
    const { ethereum } = globalThis as { ethereum?: Provider }
    if (found.size === 0 && ethereum && !isOwn)
      found.set(own, { info: { uuid: own, name: 'Browser wallet', icon: '' }, provider: ethereum })
    show(
      isOwn
        ? [{ id: own, name: site.address!, icon: '' }]
        : Array.from(found.values(), ({ info: { uuid: id, name, icon } }) => ({ id, name, icon })),
    )
  }
  const announce = ({ detail }: CustomEventInit<Announced>) => {
    found.delete(own)
    found.set(detail!.info.uuid, detail!)
    showAll()
  }
  addEventListener('eip6963:announceProvider', announce as EventListener)
  dispatchEvent(new Event('eip6963:requestProvider'))
  showAll()

  let account: Account | undefined
  let sign: (text: string) => unknown
  const connect = async (id: string): Promise<Account> => {
    account = undefined
    if (site.signMessage && site.address) {
      sign = (text) => site.signMessage!(text)
      return (account = { address: site.address, chainId: site.chainId ?? 1 })
    }
    const ask = async (method: string, params?: unknown[]) =>
      found.get(id)!.provider.request({ method, params })
    const [address] = (await ask('eth_requestAccounts')) as [string]
    const chainId = Number(await ask('eth_chainId'))
    // The text has no letters but those of ASCII, or it would not be ours.
    const hex = (text: string) =>
      text.replace(/[^]/g, (letter) => letter.charCodeAt(0).toString(16).padStart(2, '0'))
    sign = (text) => ask('personal_sign', [`0x${hex(text)}`, address])
    return (account = { address, chainId })
  }
  return {
    showAll,
    stop: () => removeEventListener('eip6963:announceProvider', announce as EventListener),
    /** Whatever the frame asks, only a sign-in is signed: at this site, with this wallet, for what the element is about. */
    answer: async (asked: Asked): Promise<unknown> => {
      if (asked.ask === 'connect') return connect(asked.wallet)
      // The frame has looked up who owns the token.
      const about = path.replace(/^owner.*/, () => `dm/${/dm:(\w+)/.exec(asked.text)?.[1]}`)
      if (!account || !isOurs(asked.text, account, about)) throw new Error(refusal)
      return sign(asked.text)
    },
  }
}
