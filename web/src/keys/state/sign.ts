import { currentAccount } from '../../service/session.ts'
import { solanaPrefix } from '../../sign-in/solana-prefix.ts'
import { loadStandard } from '../../sign-in/solana-wallets.ts'

const noWallet = 'Your wallet is not in this browser. Do this in the browser where your wallet is.'

/** Requests a signature of a text from the signed-in wallet. */
export async function signAsCurrent(message: string): Promise<string> {
  const { kind, address, connectorId } = currentAccount()!
  if (kind === 'throw-away') {
    const { signWithThrowAwayKey } = await import('../../sign-in/throw-away.ts')
    return signWithThrowAwayKey(address, message)
  }
  if (kind === 'handed-over') throw new Error(noWallet)
  if (kind === 'passkey') {
    const { signAsGuest } = await import('../../sign-in/guest.ts')
    return signAsGuest(address, message)
  }
  if (connectorId?.startsWith(solanaPrefix)) {
    const { signWithWallet } = await loadStandard()
    return signWithWallet(connectorId, address, message)
  }
  const { signWithWallet } = await import('../../sign-in/wallets.ts')
  return signWithWallet(connectorId, address, message)
}
