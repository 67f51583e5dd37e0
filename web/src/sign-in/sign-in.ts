import { signInWith } from '@parley/sdk'
import { service } from '../service/api.ts'
import { type Account, startSession } from '../service/session.ts'

type Signer = Pick<Account, 'kind' | 'connectorId'> & {
  address: string
  signMessage: (message: string) => Promise<string>
}

/** Signs a wallet in and keeps its session. */
export async function signIn({ address, signMessage, ...account }: Signer): Promise<void> {
  const { token, expiresIn } = await signInWith(service, { address, signMessage })
  startSession({
    ...account,
    address: address.toLowerCase(),
    token,
    expiresAt: Date.now() + expiresIn * 1000,
  })
}
