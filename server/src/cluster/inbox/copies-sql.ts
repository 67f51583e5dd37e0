// This file has SQL of the conversations of a wallet by their copies (copies.ts), as messages/conversations.ts has it for the
// conversations themselves.

import { unreadIn } from '../../messages/conversations.ts'
import { ofState, type View } from '../../messages/shared-sql.ts'

/** Selects those of a wallet without those that it has blocked; `wbucket` is the wallet's bucket. */
export function copiesOf(wallet: string, wbucket: string, view: View = 'all'): string {
  const state = ofState[view]
  return `
  select bucket, id, peer, unread, last_ms, last_id, last_is_theirs, last_read, last_item, state, shape
  from conversation_copies where wbucket = ${wbucket} and walletaddr = ${wallet} and id is not null and not blocked
    ${state === undefined ? '' : `and state = ${state}`}`
}

/** Selects those of the wallet $1 for which `which` holds, with the last message; $2 is the bucket of the wallet. */
export const copiedConversations = (which: string, view?: View) => `
  select *, last_id is not null as is_fresh, null::text[] as found from (${copiesOf('$1', '$2', view)}) c where ${which}`

/** Counts what is unread in requests. */
export const unreadCopiedRequests = unreadIn(copiedConversations('unread > 0', 'requests'))
