import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { keepThrowAwayKey, throwAwayKeys } from '../service/session.ts'
import { signIn } from './sign-in.ts'

/** Signs in with a throw-away key, which this browser stores; without one, with a new one. */
export async function signInWithThrowAwayKey(key = generatePrivateKey()): Promise<void> {
  const account = privateKeyToAccount(key)
  await signIn({
    kind: 'throw-away',
    address: account.address,
    signMessage: (message) => account.signMessage({ message }),
  })
  keepThrowAwayKey(account.address.toLowerCase(), key)
}

export function signWithThrowAwayKey(address: string, message: string): Promise<`0x${string}`> {
  const key = throwAwayKeys()[address]
  if (!key) throw new Error('The throw-away key of this wallet is no longer in this browser.')
  return privateKeyToAccount(key).signMessage({ message })
}
