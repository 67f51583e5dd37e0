import { currentAccount } from '../../service/session.ts'
import { keyring, loadKeyring } from './keyring.ts'

let loading: { wallet: string | undefined; done: Promise<void> } | undefined

/** Reads the keys of the signed-in wallet, unless they are being read. A throw-away key opens its backup by itself. */
export function loadKeys(): Promise<void> {
  const wallet = currentAccount()?.address
  if (loading && loading.wallet === wallet) return loading.done
  const now = { wallet, done: load().finally(() => loading === now && (loading = undefined)) }
  loading = now
  return now.done
}

async function load(): Promise<void> {
  await loadKeyring()
  if (currentAccount()?.kind === 'throw-away' && keyring.get().state === 'locked')
    await (await import('./setup.ts')).unlock()
}
