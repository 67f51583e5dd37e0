import { type Client, createClient, signInWith } from '@parley/sdk'
import { canonicalAddress, isEvmAddress } from '@parley/sdk/accounts.ts'
import { cache, client, query, service } from '../service/api.ts'
import { type Account, currentAccount, startSession } from '../service/session.ts'
import { fetchAs, keepToken } from '../service/tokens.ts'
import { withdrawSignOut } from './signing-out.ts'

type Signer = Pick<Account, 'kind' | 'connectorId' | 'credential'> & {
  address: string
  /** The chain on which the wallet is, if it is a contract. */
  chainId?: number | undefined
  signMessage: (message: string) => Promise<string>
  /** Must succeed before the page shows the wallet as signed in. */
  first?: ((asWallet: Client) => Promise<unknown>) | undefined
}

/** Signs a wallet in; this browser then stays signed in. */
export async function signIn({
  address: signer,
  signMessage,
  chainId,
  first,
  ...account
}: Signer): Promise<void> {
  let signed = { message: '', signature: '' }
  const sign = async (message: string) => {
    signed = { message, signature: await signMessage(message) }
    return signed.signature
  }
  // A wallet may say anything.
  const chain = chainId !== undefined && Number.isSafeInteger(chainId) && chainId > 0 ? { chainId } : {}
  const session = await signInWith(service, { address: signer, signMessage: sign, session: true, ...chain })
  const address = canonicalAddress(signer)
  keepToken(address, session)
  if (first) await first(createClient({ ...service, fetch: fetchAs(address) }))
  withdrawSignOut(address)
  const isContract =
    account.kind === 'wallet' && isEvmAddress(address) && !(await isOwnSignature(address, signed))
  await startSession({ ...account, address, ...(isContract && { isContract, ...chain }) })
  void keepRequests(address)
}

/** Returns true when the key of an address has signed. A smart wallet may have a signature of 65 bytes as well. */
async function isOwnSignature(address: string, signed: { message: string; signature: string }) {
  const { signerOf } = await import('./signer-of.ts')
  return (await signerOf(signed)) === address
}

/**
 * Makes a wallet that has chosen nothing take messages of strangers as requests, which this client shows in a separate
 * list. An existing choice stays. A failure does no harm: the next sign-in tries it again.
 */
async function keepRequests(address: string): Promise<void> {
  try {
    const { who, is_default } = await client.getOwnDmPolicy()
    if (!is_default || who !== 'everyone' || currentAccount()?.address !== address) return
    const policy = await client.setDmPolicy({ body: { who: 'requests' } })
    cache.setQueryData(query('getOwnDmPolicy').queryKey, policy)
  } catch {}
}
