// Opens sealed files. This loads when the first one is opened.

import type { AttachedFile } from '@parley/sdk/files/attached.ts'
import { CannotOpenFile, openFile, openRange, type ReadSealed } from '@parley/sdk/files/index.ts'

/** Returns the bytes of a file; the stream fails with what `changed` returns where they are not those of its message. */
export const openStored = (
  file: AttachedFile,
  stored: ReadableStream<Uint8Array>,
  changed: () => Error,
): ReadableStream<Uint8Array> =>
  saying(
    openFile(file, () => stored),
    changed,
  )

interface Part {
  start: number
  end: number
  changed: () => Error
}

/** Does the same for some of the bytes, and reads no more of what is stored than it needs. */
export const openStoredPart = (
  file: AttachedFile,
  stored: ReadSealed,
  { start, end, changed }: Part,
): ReadableStream<Uint8Array> => saying(openRange(file, stored, start, end), changed)

function saying(opened: ReadableStream<Uint8Array>, changed: () => Error): ReadableStream<Uint8Array> {
  const reader = opened.getReader()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (done) controller.close()
        else controller.enqueue(value)
      } catch (error) {
        throw error instanceof CannotOpenFile ? changed() : error
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
}
