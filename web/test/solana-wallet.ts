import { createSignInMessageText } from '@solana/wallet-standard-util'
import type { SolanaWallet } from '../../testing/people/solana-wallet.ts'
import { openPerson, type Person } from './person.ts'

interface Script {
  address: string
  key: number[]
  /** It has the feature by which a wallet writes the text itself. */
  writes: boolean
}

/** Gives the page a wallet of the Wallet Standard. It runs in the page; signatures are made by the test, with a real key. */
function walletScript({ address, key, writes }: Script): void {
  const ask = globalThis as unknown as {
    signAsSolana: (message: number[]) => Promise<number[]>
    signInAsSolana: (input: unknown) => Promise<{ text: number[]; signature: number[] }>
  }
  const account = {
    address,
    publicKey: Uint8Array.from(key),
    chains: ['solana:mainnet'],
    features: ['solana:signMessage'],
  }
  const sign = async (message: Uint8Array) => Uint8Array.from(await ask.signAsSolana([...message]))
  const features = {
    'standard:connect': { version: '1.0.0', connect: async () => ({ accounts: [account] }) },
    'standard:events': { version: '1.0.0', on: () => () => {} },
    'solana:signMessage': {
      version: '1.1.0',
      signMessage: async ({ message }: { message: Uint8Array }) => [
        { signedMessage: message, signature: await sign(message) },
      ],
    },
    ...(writes && {
      'solana:signIn': {
        version: '1.0.0',
        signIn: async (input: unknown) => {
          const { text, signature } = await ask.signInAsSolana(input)
          return [{ account, signedMessage: Uint8Array.from(text), signature: Uint8Array.from(signature) }]
        },
      },
    }),
  }
  const icon =
    'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHZpZXdCb3g9IjAgMCAxIDEiPjxyZWN0IHdpZHRoPSIxIiBoZWlnaHQ9IjEiIGZpbGw9IiM5OTQ1ZmYiLz48L3N2Zz4='
  const wallet = {
    version: '1.0.0',
    name: 'Test Wallet',
    icon,
    chains: account.chains,
    accounts: [account],
    features,
  }
  const register = (api: { register: (one: typeof wallet) => void }) => api.register(wallet)
  addEventListener('wallet-standard:app-ready', (event) => register((event as CustomEvent).detail))
  dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register }))
}

interface Options extends NonNullable<Parameters<typeof openPerson>[1]> {
  writes?: boolean
  /** What the wallet does with a text before it signs it, as a Ledger puts it in an envelope. */
  wrap?: (text: Uint8Array) => Uint8Array
}

/** A person with a wallet of Solana, and with none of Ethereum. */
export async function openSolanaPerson(
  url: string,
  wallet: SolanaWallet,
  { writes = true, wrap = (text) => text, ...options }: Options = {},
): Promise<Person> {
  const person = await openPerson(url, { ...options, wallet: { announced: false } })
  const sign = (bytes: Uint8Array) => {
    person.signed.push(Buffer.from(bytes).toString())
    return [...wallet.sign(wrap(bytes))]
  }
  await person.context.exposeFunction('signAsSolana', (bytes: number[]) => sign(Uint8Array.from(bytes)))
  await person.context.exposeFunction(
    'signInAsSolana',
    (input: Parameters<typeof createSignInMessageText>[0]) => {
      const text = Buffer.from(createSignInMessageText(input))
      return { text: [...wrap(text)], signature: sign(text) }
    },
  )
  const { address, key } = wallet
  await person.context.addInitScript(walletScript, { address, key: [...key], writes })
  return { ...person, address }
}
