import { type Account, currentAccount } from '../../service/session.ts'
import { keyring, loadKeyring } from './keyring.ts'

let loading: { wallet: string | undefined; done: Promise<void> } | undefined

/** Reads the keys of the signed-in wallet, unless they are being read. A key that this page has opens its backup by itself. */
export function loadKeys(): Promise<void> {
  const wallet = currentAccount()?.address
  if (loading && loading.wallet === wallet) return loading.done
  const now = { wallet, done: load().finally(() => loading === now && (loading = undefined)) }
  loading = now
  return now.done
}

async function load(): Promise<void> {
  await loadKeyring()
  if (keyring.get().state === 'locked' && (await hasKey(currentAccount())))
    await (await import('./setup.ts')).unlock()
}

/** Returns true when the page signs as this wallet without asking anybody. */
async function hasKey(account: Account | null): Promise<boolean> {
  if (account?.kind === 'passkey') return (await import('../../sign-in/guest.ts')).isOpenHere(account.address)
  return account?.kind === 'throw-away'
}
