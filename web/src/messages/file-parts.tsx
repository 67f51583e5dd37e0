// What shows the files of messages reads them from the service, of which messages know nothing: it is set from above.

import type { ComponentType, ReactNode } from 'react'
import type { Message, MessageActs } from './message.ts'

interface FilesProps {
  message: Message
  /** Returns the time and the state of the message, where they are not beside a text. */
  meta: ((className: string) => ReactNode) | undefined
}

interface DialogsProps {
  messages: Message[]
  /** This reads older ones. */
  history: {
    hasNextPage: boolean
    isFetching: boolean
    isError: boolean
    fetchNextPage: () => Promise<unknown>
  }
  acts: MessageActs
}

export interface FileParts {
  /** Shows the files of a message. */
  Files: ComponentType<FilesProps>
  /** Shows above a thread what is about its files. */
  Dialogs: ComponentType<DialogsProps>
}

let parts: FileParts | undefined

export const showFilesBy = (given: FileParts): void => void (parts = given)

export const MessageFiles = (props: FilesProps): ReactNode => parts && <parts.Files {...props} />
export const FileDialogs = (props: DialogsProps): ReactNode => parts && <parts.Dialogs {...props} />
