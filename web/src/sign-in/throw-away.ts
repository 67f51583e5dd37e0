import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { keepThrowAwayKey, throwAwayKeys } from '../service/session.ts'
import { signIn } from './sign-in.ts'

/** Signs in with a throw-away key of this browser; without an address, with a new one. */
export async function signInWithThrowAwayKey(address?: string): Promise<void> {
  const key = (address && throwAwayKeys()[address]) || generatePrivateKey()
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
