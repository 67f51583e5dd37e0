// Signing out: here at once, and at the service as soon as it can be reached. Until then the cookie
// of the session is in the browser, where no script can delete it, so the intent is kept.

import { createClient } from '@parley/sdk'
import { maybeTemporary } from '@parley/sdk/retry.ts'
import { service } from '../service/api.ts'
import { removeAccount } from '../service/session.ts'
import { fetchAs } from '../service/tokens.ts'
import { forgetDrafts } from '../thread/drafts.ts'
import { forgetOutbox } from '../thread/entries.ts'
import { showNotice } from '../ui/notice.ts'

const entry = 'parley.sign-outs'

const waiting = (): string[] => JSON.parse(localStorage.getItem(entry) ?? '[]')

function keep(addresses: string[]): void {
  if (addresses.length > 0) localStorage.setItem(entry, JSON.stringify(addresses))
  else localStorage.removeItem(entry)
}

/** Signs a wallet out. */
export async function signOut(address: string): Promise<void> {
  keep([...waiting(), address])
  leave(address)
  await finishSignOuts()
  if (waiting().includes(address))
    showNotice('Signed out here. The service is told as soon as it can be reached.')
}

/** Leaves a wallet out here, and deletes what it has written and not sent. Its keys stay. */
export function leave(address: string): void {
  removeAccount(address)
  forgetOutbox(address)
  forgetDrafts(address)
}

/** The wallet signs in again: its new session is not the one to end. */
export const withdrawSignOut = (address: string): void => keep(waiting().filter((one) => one !== address))

/** Tells the service of wallets that have signed out while it could not be reached. */
export async function finishSignOuts(): Promise<void> {
  for (const address of waiting())
    try {
      await createClient({ ...service, fetch: fetchAs(address) }).signOut()
      withdrawSignOut(address)
    } catch (error) {
      // Otherwise the session has ended already.
      if (maybeTemporary(error)) return
      withdrawSignOut(address)
    }
}
