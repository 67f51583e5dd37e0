import type { ChatItem } from '@parley/sdk'
import { useMemo } from 'react'
import { useQuoteCheck } from '../keys/state/quoted.ts'
import { useReactions } from '../keys/state/read-reactions.ts'
import { useReadable } from '../keys/state/readable.ts'
import type { StoredMessage } from '../thread/merged.ts'
import { type Shown, toMessage } from './to-message.tsx'

/** Returns the messages of a conversation as they are shown: opened, and each reply compared with what it replies to. */
export function useStored(items: ChatItem[], { me, title, nft, linksOff, isStored }: Shown): StoredMessage[] {
  const read = useReadable()
  const check = useQuoteCheck()
  const reactionsOf = useReactions(me)
  return useMemo(() => {
    const all = new Map(items.map((item) => [item.id, { item, readable: read(item) }]))
    return [...all.values()].map((one) => {
      const quoteCheck = check(one, all.get(one.item.reply_to ?? 0))
      const reacted = reactionsOf(one.item, one.readable)
      return toMessage(one.item, one.readable, { me, title, nft, linksOff, isStored, quoteCheck, reacted })
    })
  }, [items, me, title, nft, linksOff, isStored, read, check, reactionsOf])
}
