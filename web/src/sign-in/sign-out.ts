// A wallet signs out here at once, and at the service as soon as it can be reached. Until then the cookie of the
// session is in the browser, where no script can delete it, so the intent is stored.

import { createClient } from '@parley/sdk'
import { maybeTemporary, withRetry } from '@parley/sdk/retry.ts'
import { service } from '../service/api.ts'
import { endPush } from '../service/push.ts'
import { removeAccount } from '../service/session.ts'
import { fetchAs } from '../service/tokens.ts'
import { forgetUnsaved } from '../service/unsaved.ts'
import { forgetThreads } from '../thread/drafts.ts'
import { forgetOutbox } from '../thread/entries.ts'
import { showNotice } from '../state/notice.ts'
import { keepSigningOut, signingOut, withdrawSignOut } from './signing-out.ts'

export function signOut(address: string): void {
  keepSigningOut([...signingOut(), address])
  leave(address)
  void end(address, () =>
    showNotice(`Signed out here. ${location.host} ends the session once you’re online.`),
  )
}

const listeners = new Set<(address: string) => void>()
/** Calls back when a wallet has signed out here. */
export const onLeave = (listener: (address: string) => void) => listeners.add(listener)

/** Removes a wallet here, and deletes what it has written and not sent. Its keys stay. */
export function leave(address: string): void {
  removeAccount(address)
  forgetOutbox(address)
  forgetThreads(address)
  forgetUnsaved(address)
  for (const listener of listeners) listener(address)
}

/** Ends at the service the sessions of wallets that have signed out while it could not be reached. */
export function finishSignOuts(): void {
  for (const address of signingOut()) void end(address)
}

/** Ends the session of a wallet at the service. It is retried until that succeeds, or the wallet is back. */
async function end(address: string, onFailure?: () => void): Promise<void> {
  const client = createClient({ ...service, fetch: fetchAs(address) })
  const attempt = async () => {
    if (!signingOut().includes(address)) return
    await endPush(address, client)
    await client.signOut()
  }
  let failures = 0
  const onRetry = () => {
    if (failures++ === 0) onFailure?.()
  }
  // An error that is not temporary means that the session has ended already.
  await withRetry(attempt, maybeTemporary, { attempts: Infinity, onRetry }, undefined).catch(() => {})
  withdrawSignOut(address)
}
