import { signInWith } from '@parley/sdk'
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
  const session = await signInWith(service, { address: signer, signMessage, session: true })
  const address = signer.toLowerCase()
  keepToken(address, session)
  withdrawSignOut(address)
  startSession({ ...account, address })
}
