import { currentAccount } from '../service/session.ts'

/** Asks the signed-in wallet to sign a text. */
export async function signAsCurrent(message: string): Promise<string> {
  const { kind, address, connectorId } = currentAccount()!
  if (kind === 'throw-away') {
    const { signWithThrowAwayKey } = await import('../sign-in/throw-away.ts')
    return signWithThrowAwayKey(address, message)
  }
  const { signWithWallet } = await import('../sign-in/wallets.ts')
  return signWithWallet(connectorId, address, message)
}
