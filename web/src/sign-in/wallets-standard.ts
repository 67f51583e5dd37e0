import { fullStatement, parseSignInText } from '@parley/sdk/sign-in-text.ts'
import { getWallets } from '@wallet-standard/app'
import { signIn } from './sign-in.ts'
import { solanaPrefix } from './solana-prefix.ts'
import type { Offer } from './use-wallets.ts'

const standard = getWallets()
type Wallet = ReturnType<typeof standard.get>[number]
type WalletAccount = Wallet['accounts'][number]

/** These are the features of a wallet that are used here. */
interface Features {
  'standard:connect': { connect: () => Promise<{ accounts: readonly WalletAccount[] }> }
  'solana:signIn'?: {
    signIn: (input: Record<string, string>) => Promise<readonly (Signed & { account: WalletAccount })[]>
  }
  'solana:signMessage'?: {
    signMessage: (input: { account: WalletAccount; message: Uint8Array }) => Promise<readonly Signed[]>
  }
}

interface Signed {
  /** The bytes that were signed: a Ledger signs more than the text. */
  signedMessage: Uint8Array
  signature: Uint8Array
}

const isOfSolana = ({ chains }: Pick<Wallet, 'chains'>) =>
  chains.some((chain) => chain.startsWith(solanaPrefix))
const canSign = ({ features }: Wallet) =>
  'standard:connect' in features && ('solana:signIn' in features || 'solana:signMessage' in features)

const idOf = ({ name }: Wallet) => solanaPrefix + name

/** Calls back with the wallets of Solana in this browser, now and whenever one comes or goes. */
export function watchWallets(show: (offers: Offer[]) => void): void {
  const showAll = () =>
    show(
      standard
        .get()
        .filter((wallet) => isOfSolana(wallet) && canSign(wallet))
        // Some wallets announce themselves for Ethereum too, under the same name.
        .map((wallet) => ({ id: idOf(wallet), name: `${wallet.name} (Solana)`, icon: wallet.icon })),
    )
  standard.on('register', showAll)
  standard.on('unregister', showAll)
  showAll()
}

/** Requests the address and the signature of a wallet of Solana, and signs it in. */
export async function signInWithWallet(connectorId: string, signal: AbortSignal): Promise<void> {
  const { features, accounts } = await open(connectorId)
  const account = accounts.find(isOfSolana)
  if (!account)
    throw new Error('Your wallet has no account of Solana. Choose one in the wallet, and try again.')
  signal.throwIfAborted()
  await signIn({
    kind: 'wallet',
    connectorId,
    address: account.address,
    signMessage: async (message) => {
      const signature = await sign(features, account, message)
      signal.throwIfAborted()
      return signature
    },
  })
}

/** Requests another signature from the wallet that signed in. */
export async function signWithWallet(connectorId: string, address: string, message: string): Promise<string> {
  const { features, accounts } = await open(connectorId)
  const account = accounts.find((one) => one.address === address)
  if (!account) throw new Error('Your wallet shows another account. Choose the one you signed in with.')
  return sign(features, account, message)
}

async function open(connectorId: string) {
  const wallet = standard.get().find((one) => idOf(one) === connectorId)
  if (!wallet) throw new Error('This wallet is no longer in the browser.')
  const features = wallet.features as unknown as Features
  const { accounts } = await features['standard:connect'].connect()
  return { features, accounts }
}

/** A wallet that knows texts to sign in shows them better than any other text, and warns where the site is another one. */
async function sign(features: Features, account: WalletAccount, message: string): Promise<string> {
  const asked = features['solana:signIn'] && parseSignInText(message)
  const signed = asked
    ? await features['solana:signIn']!.signIn(inputOf(asked))
    : await features['solana:signMessage']?.signMessage({
        account,
        message: new TextEncoder().encode(message),
      })
  const [one] = signed ?? []
  if (!one) throw new Error('Your wallet can’t sign this text.')
  // It makes the text of its fields itself.
  if (asked && !new TextDecoder().decode(one.signedMessage).endsWith(message))
    throw new Error('Your wallet signed another text. Choose the account that it shows first, and try again.')
  return `0x${Array.from(one.signature, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

const inputOf = ({ domain, address, uri, nonce, issuedAt = '', expirationTime }: Asked) => ({
  domain,
  address,
  statement: fullStatement,
  uri,
  version: '1',
  chainId: 'mainnet',
  nonce,
  issuedAt,
  ...(expirationTime !== undefined && { expirationTime }),
})
type Asked = NonNullable<ReturnType<typeof parseSignInText>>
