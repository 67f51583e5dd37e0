// A signature of the wallet that is signed in already, where the service asks for a fresh one.

import { signAsCurrent } from './sign.ts'
import { client } from '../service/api.ts'
import { currentAccount } from '../service/session.ts'
import { signIn } from '../sign-in/sign-in.ts'

/** Signs the current wallet in again. The session of before ends: this browser has one. */
export async function signInAgain(): Promise<void> {
  const { isContract: _known, ...account } = currentAccount()!
  const { address } = account
  const before = await client.listSessions({ address })
  await signIn({ ...account, signMessage: signAsCurrent })
  for (const { id, current } of before)
    // It may have ended meanwhile.
    if (current) await client.endSession({ address, session: id }).catch(() => {})
}
