// Decisions about a wallet can be undone for some seconds. They hold at once: they apply to what the wallet writes
// meanwhile.

import type { Contact, ContactUpdate } from '@parley/sdk'
import { rowOf } from '../inbox/cache.ts'
import { client } from '../service/api.ts'
import { showUndo } from '../state/notice.ts'
import { tryContact } from './change.ts'

export type Decision = 'accept' | 'ignore' | 'block'

interface Options {
  me: string
  peer: string
  /** The reader knows the wallet by this name. */
  title: string
  before: Contact['state']
  /** When true, the focus stays where it is and does not move to the undo button. */
  keepFocus?: boolean
}

const updates: Record<Decision, ContactUpdate> = {
  accept: { state: 'accepted' },
  ignore: { state: 'ignored' },
  block: { blocked: true },
}

const says: Record<Decision, (title: string) => string> = {
  accept: (title) => `Accepted ${title}`,
  ignore: (title) => `Ignoring ${title}`,
  block: (title) => `Blocked ${title}`,
}

/** Returns true when it was done. */
export async function decide(
  decision: Decision,
  { me, peer, title, before, keepFocus }: Options,
): Promise<boolean> {
  if (!(await tryContact(me, peer, updates[decision]))) return false
  // Unblocking restores the state from before.
  const back: ContactUpdate = decision === 'block' ? { blocked: false } : { state: before }
  const takeBack = async () => {
    const last = rowOf({ context_type: 'dm', addr: peer }, me)
    if (!(await tryContact(me, peer, back))) return
    // The conversation was marked as read when it was accepted.
    if (decision === 'accept' && last?.fromaddr === peer) await markUnread(peer, me, last.id)
  }
  showUndo(
    says[decision](title),
    () => {},
    () => void takeBack(),
    keepFocus,
  )
  return true
}

async function markUnread(peer: string, me: string, id: number): Promise<void> {
  const pair = { fromaddr: peer, toaddr: me }
  await client.markDirectMessage({ ...pair, body: { ...pair, id, message: '', read: false } }).catch(() => {})
}
