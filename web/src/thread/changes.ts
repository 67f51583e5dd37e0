// What a reader does with a message of a thread: reply to it, edit it, react to it, pin it. The thread gives it to its menus.

import type { MessageVersion } from '@parley/sdk/contract/message-edits.ts'
import { createContext, useContext } from 'react'
import type { ComposerChannel, Message } from '../messages/message.ts'
import { cache, client } from '../service/api.ts'
import { describeError } from '../service/describe-error.ts'
import { showNotice } from '../state/notice.ts'
import { createStore } from '../state/store.ts'
import { type Change, change as changeEntry, type Entry, outbox } from './entries.ts'
import { changeMessage } from './history.ts'
import { enqueue } from './outbox.ts'

/** The next message replies to this one, or its text takes the place of this one's. */
export interface Changing {
  kind: 'reply' | 'edit'
  message: Message
}

/** Returns what names the draft of an edit, also after a reload. */
export const editName = ({ id, key }: Message): string => `edit ${id || key}`

/**
 * Changes of messages here are sent in the clear, or encrypted. off: there are none now, because that is not decided, or
 * because the reader may not write here.
 */
export type Way = 'clear' | 'sealed' | 'off'

export const wayOf = (channel: ComposerChannel = 'clear'): Way =>
  channel === 'clear' || channel === 'sealed' ? channel : 'off'

/** Encrypts changes of a message, where the thread encrypts: returns what they need. */
export type SealChange = (message: Message) => Change

/** This is a version of a message as it was. */
export interface ShownVersion {
  text: string
  /** It is not encrypted, and its message is. */
  isClear: boolean
}

/** Opens earlier versions of a message; undefined takes the place of one that cannot be opened here. */
export type OpenVersions = (
  message: Message,
  versions: MessageVersion[],
) => Promise<(ShownVersion | undefined)[]>

/** A thread has these: those that encrypt have others. */
export interface Sealing {
  sealChange: SealChange
  openVersions: OpenVersions
}

export const inClear: Sealing = {
  sealChange: () => ({}),
  openVersions: async (_message, versions) =>
    versions.map(({ message }) => ({ text: message, isClear: false })),
}

export interface ThreadChanges {
  react: (message: Message, value: string) => void
  begin: (changing: Changing) => void
  goTo: (id: number) => void
  /** Returns the way back to where the reader is now. */
  keepPlace: () => () => void
  /** Shows the newest messages. */
  toEnd: () => void
  way: Way
  /** Says whether the reader may pin messages here. */
  mayPin: boolean
}

export const ThreadChangesContext = createContext<ThreadChanges | undefined>(undefined)
export const useThreadChanges = (): ThreadChanges | undefined => useContext(ThreadChangesContext)

const day = 24 * 3_600_000

const isStored = ({ id, removed, state }: Message): boolean =>
  id > 0 && !removed && (state === 'sent' || state === 'read')

export const mayPin = (message: Message): boolean => isStored(message)

export const mayReply = (message: Message, way: Way): boolean =>
  way !== 'off' && isStored(message) && message.lock !== 'broken'

export const mayReact = (message: Message, way: Way): boolean =>
  way === (message.lock === 'closed' ? 'sealed' : 'clear') && isStored(message) && message.lock !== 'broken'

/** It is not sent yet, or could not be sent. */
export const isUnsent = ({ id, mine }: Message): boolean => id === 0 && mine

/** An edit of it may wait to be sent. */
const hasPresentText = ({ id, removed, state, lock }: Message): boolean =>
  id > 0 && !removed && state !== 'failed' && lock !== 'broken'

/**
 * An edit of a message in the clear is encrypted where the conversation is; the other way is closed. A post that waits for a
 * moderator stays as it is.
 */
export const mayEdit = (message: Message, way: Way): boolean =>
  message.mine &&
  !message.held &&
  way !== 'off' &&
  (way === 'sealed' || message.lock === undefined) &&
  (isUnsent(message) || (hasPresentText(message) && Date.now() - Date.parse(message.timestamp) < day))

/** These show more about one message. */
interface Shown {
  what: 'edits' | 'reactions' | 'picker'
  message: Message
}
export const shownAbout = createStore<Shown | undefined>(undefined)

/** Saves the new text of a message: it takes the place of an edit that waits. */
export function saveEdit(thread: string, { id, revision = 0 }: Message, text: string, change: Change): void {
  const waiting = outbox
    .get()
    .find((one) => one.endpoint === 'editMessage' && one.about === id && !one.prepared)
  const body = { message: text, revision }
  if (!waiting)
    return enqueue({ endpoint: 'editMessage', about: id, body, histories: [], thread, text, ...change })
  changeEntry(waiting.id, (one) => ({ ...one, text, body: { ...one.body, message: text } }) as Entry)
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
