// Messages that are being deleted. For some seconds they are only not shown, and the deletion can be
// taken back; then the service is asked.

import { ApiError } from '@parley/sdk'
import { useMemo } from 'react'
import { readInboxAgain } from '../inbox/cache.ts'
import { client } from '../service/api.ts'
import { showNotice, showUndo } from '../ui/notice.ts'
import { createStore, useStore } from '../ui/store.ts'
import { removeMessage } from '../thread/direct-messages.ts'

const going = createStore<ReadonlySet<number>>(new Set())

/** Those of a list that are not being deleted. */
export function useRemaining<Item extends { id: number }>(items: Item[]): Item[] {
  const ids = useStore(going)
  return useMemo(() => (ids.size === 0 ? items : items.filter(({ id }) => !ids.has(id))), [items, ids])
}

/** Whose copy is deleted: the reader's own, or that of both wallets. */
type Whose = 'mine' | 'both'

const says = { mine: 'Message deleted for you.', both: 'Message deleted for both of you.' }

export function deleteMessage(id: number, whose: Whose): void {
  const back = () => going.set(new Set([...going.get()].filter((other) => other !== id)))
  going.set(new Set([...going.get(), id]))
  showUndo(says[whose], () => void act(id, whose).finally(back), back)
}

async function act(id: number, whose: Whose): Promise<void> {
  try {
    await (whose === 'both' ? client.deleteDirectMessage({ id }) : client.hideMessage({ id }))
  } catch (error) {
    const isGone = error instanceof ApiError && error.code === 'not_found'
    if (!isGone) return showNotice('The message could not be deleted. Try again.')
  }
  removeMessage(id)
  readInboxAgain()
}
