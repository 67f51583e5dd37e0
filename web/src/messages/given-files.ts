// An element in which messages are written takes files that are pasted or dropped, or says why it takes none. The
// browser itself would leave the page for a dropped file.

import type { ClipboardEvent, DragEvent, ReactNode } from 'react'
import { showNotice } from '../state/notice.ts'

interface Handlers {
  onPaste: (event: ClipboardEvent) => void
  onDragOver: (event: DragEvent) => void
  onDragLeave: (event: DragEvent) => void
  onDrop: (event: DragEvent) => void
}

/** The controls for the files of the message that is being written. */
export interface Attaching {
  /** This is at the start of the field, where it orders itself. */
  button: ReactNode
  /** This takes the place of the field while a voice note is recorded; it calls back when that is to be sent. */
  recorder?: ((onRecorded: () => void) => ReactNode) | undefined
  /** This is above the field: the files that are chosen. */
  tray: ReactNode
  /** A message with files needs no text. */
  hasFiles: boolean
  /** They are not ready: sending waits for them. */
  isPreparing: boolean
  /** With these files nothing is sent, because of this. */
  why: string | undefined
}

/** What a thread does with files. */
export interface GivenFiles {
  handlers: Handlers
  /** This covers the thread while files are dragged over it. */
  cover?: ReactNode
  attaching?: Attaching | undefined
}

const hasFiles = ({ types }: DataTransfer): boolean => types.includes('Files')

/** Returns the files that are given, without folders; nothing where text comes with them, which is pasted as always. */
function filesOf(event: ClipboardEvent | DragEvent, data: DataTransfer): File[] {
  const items = [...data.items].filter(({ kind }) => kind === 'file')
  if (items.length === 0 || data.types.includes('text/plain')) return []
  event.preventDefault()
  const isFolder = (item: DataTransferItem) => item.webkitGetAsEntry()?.isDirectory === true
  if (items.some(isFolder)) showNotice('Folders can’t be sent.')
  return items.filter((item) => !isFolder(item)).flatMap((item) => item.getAsFile() ?? [])
}

/** Takes files. `onDrag` says whether some are dragged over the element. */
export function takesFiles(take: (files: File[]) => void, onDrag: (isOver: boolean) => void): Handlers {
  const give = (files: File[]) => {
    if (files.length > 0) take(files)
  }
  return {
    onPaste: (event) => give(filesOf(event, event.clipboardData)),
    onDragOver: (event) => {
      if (!hasFiles(event.dataTransfer)) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'copy'
      onDrag(true)
    },
    onDragLeave: ({ currentTarget, relatedTarget }) => {
      if (!currentTarget.contains(relatedTarget as Node | null)) onDrag(false)
    },
    onDrop: (event) => {
      onDrag(false)
      give(filesOf(event, event.dataTransfer))
    },
  }
}

/** Takes no files, and says why. */
export function refusesFiles(why: string): GivenFiles {
  const refuse = (files: File[]) => {
    if (files.length > 0) showNotice(why)
  }
  return {
    handlers: {
      onPaste: (event) => refuse(filesOf(event, event.clipboardData)),
      onDragOver: (event) => {
        if (!hasFiles(event.dataTransfer)) return
        event.preventDefault()
        event.dataTransfer.dropEffect = 'none'
      },
      onDragLeave: () => {},
      onDrop: (event) => refuse(filesOf(event, event.dataTransfer)),
    },
  }
}
