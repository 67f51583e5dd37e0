import type { ClipboardEvent, DragEvent } from 'react'
import { showNotice } from '../state/notice.ts'

/** Says that files cannot be sent. Text that comes with a picture is pasted as always. */
function refuse(event: ClipboardEvent | DragEvent, data: DataTransfer): void {
  const files = [...data.files]
  if (files.length === 0 || data.types.includes('text/plain')) return
  event.preventDefault()
  showNotice(
    files.every(({ type }) => type.startsWith('image/'))
      ? "Pictures can't be sent yet."
      : "Files can't be sent yet.",
  )
}

/**
 * An element in which messages are written has these handlers. The browser itself would leave the page for a dropped
 * file.
 */
export const noFiles = {
  onPaste: (event: ClipboardEvent) => refuse(event, event.clipboardData),
  onDragOver: (event: DragEvent) => {
    if (event.dataTransfer.types.includes('Files')) event.preventDefault()
  },
  onDrop: (event: DragEvent) => refuse(event, event.dataTransfer),
}
