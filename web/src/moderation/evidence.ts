// Messages that a reader may disclose to the operators.

import type { ChatItem, GroupChatItem } from '@parley/sdk'
import { keyring } from '../keys/keyring.ts'
import { isKeyOf } from '../keys/proof.ts'
import { type Sealed, schemeOf } from '../keys/scheme.ts'
import { toBase64 } from '../keys/bytes.ts'
import { conversationHistories, itemsBeside, itemsIn } from '../thread/history.ts'

export type Item = ChatItem | GroupChatItem

/** How many messages of a conversation are offered: a report may have so many. */
const most = 20

/**
 * The newest messages of a wallet that this page has: in the conversation with it, or in the chat of the
 * post that is meant.
 */
export function messagesOf(me: string, { peer, id, isPost = false }: About): Item[] {
  const all: Item[] =
    isPost && id !== undefined
      ? itemsBeside('listGroupMessages', id)
      : (itemsIn(conversationHistories(me, peer, undefined)[0]!) as ChatItem[])
  const theirs = all.filter(({ fromaddr }) => fromaddr === peer)
  const newest = theirs.slice(-most)
  const meant = theirs.find((item) => item.id === id)
  return meant && !newest.includes(meant) ? [meant, ...newest.slice(1)] : newest
}

interface About {
  peer: string
  id?: number | undefined
  isPost?: boolean
}

/** clear; provable: the operators can read it with its key; sealed: nothing proves to them what it says. */
export function kindOf(item: Item): 'clear' | 'provable' | 'sealed' {
  const scheme = 'toaddr' in item ? schemeOf(item) : 'none'
  if (scheme === 'none') return 'clear'
  return scheme === 'parley-hpke-2' ? 'provable' : 'sealed'
}

/** The keys of encrypted messages by their ids. Each opens its own message and no other. */
export async function keysOf(items: Item[]): Promise<Record<string, string>> {
  const ring = keyring.get()
  if (!('pairs' in ring)) return {}
  const { keyOf } = await import('../keys/envelope.ts')
  const found = await Promise.all(
    items
      .filter((item) => kindOf(item) === 'provable')
      .map(async (item) => [String(item.id), toBase64(await keyOf(item as Sealed, ring.pairs, isKeyOf))]),
  )
  return Object.fromEntries(found) as Record<string, string>
}
