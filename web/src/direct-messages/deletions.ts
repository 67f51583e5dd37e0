// These messages are being deleted. For some seconds they are only hidden, and the deletion can be undone; then the
// service gets the request.

import { ApiError } from '@parley/sdk'
import { useMemo } from 'react'
import { readInboxAgain } from '../inbox/cache.ts'
import { client } from '../service/api.ts'
import { showNotice, showUndo } from '../state/notice.ts'
import { createStore, useStore } from '../state/store.ts'
import { removeMessage } from '../thread/direct-messages.ts'

const going = createStore<ReadonlySet<number>>(new Set())

/** Returns the items of a list that are not being deleted. */
export function useRemaining<Item extends { id: number }>(items: Item[]): Item[] {
  const ids = useStore(going)
  return useMemo(() => (ids.size === 0 ? items : items.filter(({ id }) => !ids.has(id))), [items, ids])
}

/** The deletion is of the reader's own copy, or of the copies of both wallets. */
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
    if (!isGone) return showNotice('Couldn’t delete the message. Try again.')
  }
  removeMessage(id)
  readInboxAgain()
}
