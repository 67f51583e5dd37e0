import type { Message } from '../messages/message.ts'
import { createStore } from '../state/store.ts'
import type { ShownFile } from './shown.ts'

/** A picture or video, with the message that has it. */
export interface Viewed {
  file: ShownFile
  message: Message
}

/** The viewer shows the file with this key. */
export const viewedFile = createStore<string | undefined>(undefined)

/** The reader wants to save this file, which can run programs. */
export const askedToSave = createStore<ShownFile | undefined>(undefined)

/** The pictures and files of the open conversation are listed. */
export const isListShown = createStore(false)
