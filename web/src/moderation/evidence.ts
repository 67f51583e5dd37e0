// A reader may disclose these messages to the operators.

import type { ChatItem, GroupChatItem } from '@parley/sdk'
import { keyring } from '../keys/state/keyring.ts'
import { isKeyOf } from '../keys/state/proof.ts'
import { type Sealed, schemeOf } from '../keys/crypto/scheme.ts'
import { toBase64 } from '../keys/crypto/bytes.ts'
import { conversationHistories, itemsBeside, itemsIn } from '../thread/history.ts'

export type Item = ChatItem | GroupChatItem

/** A conversation offers at most this many messages: a report has the same limit. */
const most = 20

/**
 * Returns the newest messages of a wallet that this page has: in the conversation with it, or in the chat of the
 * reported post.
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
  return scheme === 'own' ? 'provable' : 'sealed'
}

/** Returns the keys of encrypted messages by their ids. Each opens its own message and no other. */
export async function keysOf(items: Item[]): Promise<Record<string, string>> {
  const ring = keyring.get()
  if (!('pairs' in ring)) return {}
  const { keyOf } = await import('../keys/crypto/envelope.ts')
  const found = await Promise.all(
    items
      .filter((item) => kindOf(item) === 'provable')
      .map(async (item) => [String(item.id), toBase64(await keyOf(item as Sealed, ring.pairs, isKeyOf))]),
  )
  return Object.fromEntries(found) as Record<string, string>
}
