import { signInWith } from '@parley/sdk'
import { keepRequests } from './keep-requests.ts'
import { service } from '../service/api.ts'
import { type Account, startSession } from '../service/session.ts'
import { keepToken } from '../service/tokens.ts'
import { withdrawSignOut } from './sign-out.ts'

type Signer = Pick<Account, 'kind' | 'connectorId'> & {
  address: string
  signMessage: (message: string) => Promise<string>
}

/** Signs a wallet in, and keeps this browser signed in. */
export async function signIn({ address: signer, signMessage, ...account }: Signer): Promise<void> {
  let signature = ''
  const signed = async (message: string) => (signature = await signMessage(message))
  const session = await signInWith(service, { address: signer, signMessage: signed, session: true })
  const address = signer.toLowerCase()
  keepToken(address, session)
  withdrawSignOut(address)
  // That of a key is 65 bytes.
  startSession({ ...account, address, ...(signature.length !== 132 && { isContract: true }) })
  void keepRequests(address)
}
