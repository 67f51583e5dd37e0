// The reaction that an event has brought last, for those who cannot see it appear.

import type { ChatItem, GroupChatItem } from '@parley/sdk'
import { createStore } from '../state/store.ts'
import { itemsBeside } from './history.ts'

export interface NewReaction {
  id: number
  value: string
  /** This wallet has reacted; an event of a chat does not say which. */
  wallet: string | undefined
  at: number
}

export const newReaction = createStore<NewReaction | undefined>(undefined)

type Reactions = NonNullable<(ChatItem | GroupChatItem)['reactions']>

/** Returns the reactions to a message that are shown now. */
const shownOf = (id: number): Reactions => {
  for (const name of ['listConversation', 'listNftConversation', 'listGroupMessages'] as const) {
    const found = itemsBeside(name, id).find((item) => item.id === id)
    if (found) return found.reactions ?? []
  }
  return []
}

/** Runs what changes the reactions to a message, and keeps the one that `wallet` has added; of a chat, that others have. */
export function withNews(id: number, wallet: string | undefined, isOwn: boolean, change: () => void): void {
  const countOf = (all: Reactions) => {
    const counts = new Map<string, number>()
    for (const { value, count, mine } of all)
      counts.set(value, isOwn ? Number(mine ?? false) : count - Number(mine ?? false))
    return counts
  }
  const before = countOf(shownOf(id))
  change()
  const after = countOf(shownOf(id))
  for (const [value, count] of after)
    if (count > (before.get(value) ?? 0)) newReaction.set({ id, value, wallet, at: performance.now() })
}
