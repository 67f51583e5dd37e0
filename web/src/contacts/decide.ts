// Decisions about a wallet that can be taken back for some seconds. They hold at once: what the wallet
// writes meanwhile is treated by them.

import type { Contact, ContactUpdate } from '@parley/sdk'
import { rowOf } from '../inbox/cache.ts'
import { client } from '../service/api.ts'
import { showUndo } from '../ui/notice.ts'
import { tryContact } from './change.ts'

export type Decision = 'accept' | 'ignore' | 'block'

interface Options {
  me: string
  peer: string
  /** What the reader knows it by. */
  title: string
  before: Contact['state']
}

const updates: Record<Decision, ContactUpdate> = {
  accept: { state: 'accepted' },
  ignore: { state: 'ignored' },
  block: { blocked: true },
}

const says: Record<Decision, (title: string) => string> = {
  accept: (title) => `${title} is in your inbox now.`,
  ignore: (title) => `Ignored. ${title} is not told.`,
  block: (title) => `Blocked. ${title} is not told.`,
}

/** Answers whether it was done. */
export async function decide(decision: Decision, { me, peer, title, before }: Options): Promise<boolean> {
  if (!(await tryContact(me, peer, updates[decision]))) return false
  // Unblocking brings back what it was before.
  const back: ContactUpdate = decision === 'block' ? { blocked: false } : { state: before }
  const takeBack = async () => {
    const last = rowOf({ context_type: 'dm', addr: peer }, me)
    if (!(await tryContact(me, peer, back))) return
    // It was read when it was accepted.
    if (decision === 'accept' && last?.fromaddr === peer) await markUnread(peer, me, last.id)
  }
  showUndo(
    says[decision](title),
    () => {},
    () => void takeBack(),
  )
  return true
}

async function markUnread(peer: string, me: string, id: number): Promise<void> {
  const pair = { fromaddr: peer, toaddr: me }
  await client.markDirectMessage({ ...pair, body: { ...pair, id, message: '', read: false } }).catch(() => {})
}
