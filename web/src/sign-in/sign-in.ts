import { signInWith } from '@parley/sdk'
import { canonicalAddress } from '@parley/sdk/accounts.ts'
import { cache, client, query, service } from '../service/api.ts'
import { type Account, currentAccount, startSession } from '../service/session.ts'
import { keepToken } from '../service/tokens.ts'
import { withdrawSignOut } from './signing-out.ts'

type Signer = Pick<Account, 'kind' | 'connectorId'> & {
  address: string
  signMessage: (message: string) => Promise<string>
}

/** Signs a wallet in; this browser then stays signed in. */
export async function signIn({ address: signer, signMessage, ...account }: Signer): Promise<void> {
  let signature = ''
  const signed = async (message: string) => (signature = await signMessage(message))
  const session = await signInWith(service, { address: signer, signMessage: signed, session: true })
  const address = canonicalAddress(signer)
  keepToken(address, session)
  withdrawSignOut(address)
  // The signature of a key of Ethereum has 65 bytes.
  await startSession({ ...account, address, ...(signature.length !== 132 && { isContract: true }) })
  void keepRequests(address)
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
