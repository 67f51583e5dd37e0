// What a reader does with a message of a thread: reply to it, edit it, react to it, pin it. The thread gives it to its menus.

import { ApiError, type ChatItem, type GroupChatItem } from '@parley/sdk'
import { createContext, useContext } from 'react'
import type { Message } from '../messages/message.ts'
import { cache, client, describeError } from '../service/api.ts'
import { showNotice } from '../state/notice.ts'
import { createStore } from '../state/store.ts'
import { changeMessage, replaceItem } from './history.ts'

/** The next message replies to this one, or its text takes the place of this one's. */
export interface Changing {
  kind: 'reply' | 'edit'
  message: Message
}

export interface ThreadChanges {
  begin: (changing: Changing) => void
  /** Says whether the reader may reply, react and edit here: not where messages are encrypted, and not to strangers. */
  isOpen: boolean
  /** Says whether the reader may pin messages here. */
  mayPin: boolean
}

export const ThreadChangesContext = createContext<ThreadChanges | undefined>(undefined)
export const useThreadChanges = (): ThreadChanges | undefined => useContext(ThreadChangesContext)

const day = 24 * 3_600_000

const isStored = ({ id, removed, state }: Message): boolean =>
  id > 0 && !removed && (state === 'sent' || state === 'read')

export const mayReact = (message: Message): boolean => isStored(message) && message.lock === undefined

export const mayEdit = (message: Message): boolean =>
  message.mine && mayReact(message) && Date.now() - Date.parse(message.timestamp) < day

/** These show more about one message. */
interface Shown {
  what: 'edits' | 'reactions' | 'picker'
  message: Message
}
export const shownAbout = createStore<Shown | undefined>(undefined)

/** Saves the new text of a message. Returns whether the service has it; else a notice says why not. */
export async function saveEdit({ id, revision = 0 }: Message, text: string): Promise<boolean> {
  try {
    const [item] = await client.editMessage({ id, body: { message: text, revision } })
    replaceItem(item!)
    void cache.invalidateQueries({ queryKey: ['listEdits', { id }] })
    return true
  } catch (error) {
    const current = error instanceof ApiError ? error.current : undefined
    if (current) {
      replaceItem(current as ChatItem | GroupChatItem)
      showNotice('This message was edited on another device. Your text is in the field.')
    } else showNotice(`Couldn’t edit the message. ${describeError(error)}`)
    return false
  }
}

/** Pins a message, or removes its pin. */
export async function setPinned(id: number, isPinned: boolean): Promise<void> {
  try {
    await (isPinned ? client.pinMessage({ id }) : client.unpinMessage({ id }))
    pinChanged(id, isPinned)
  } catch (error) {
    showNotice(`Couldn’t ${isPinned ? 'pin' : 'unpin'} the message. ${describeError(error)}`)
  }
}

/** Shows whether a message is pinned. */
export function pinChanged(id: number, isPinned: boolean): void {
  changeMessage(id, ({ pinned: _before, ...rest }) => ({ ...rest, ...(isPinned && { pinned: true }) }))
  readPinsAgain()
}

function readPinsAgain(): void {
  for (const name of ['getConversation', 'listPinsOfConversation', 'listPinsOfChat'])
    void cache.invalidateQueries({ queryKey: [name] })
}
