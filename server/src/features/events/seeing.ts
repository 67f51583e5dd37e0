// A stream of a caller with scopes is cut to what they allow.

import { events } from '@parley/sdk/contract/events.ts'
import type { Wallet } from '../../auth/tokens.ts'
import { allows } from '../../http/scopes.ts'
import type { Stream } from '../../live/stream.ts'

const everything = { scope: 'inbox:read' } as const
/** These scopes open a stream of what happens in some conversations and chats. */
const some = {
  scope: events.streamEvents.scope,
  place: { peer: ['fromaddr', 'toaddr'], chat: ['nftaddr'] },
} as const

/** Returns what a stream of the caller is cut to; undefined for one that may have everything. */
export const seeing = (caller: Pick<Wallet, 'address' | 'scopes'>): Stream['sees'] =>
  allows(everything, caller) ? undefined : (place) => allows(some, caller, { params: {}, body: place })
