// Opens sealed files. This loads when the first one is opened.

import type { AttachedFile } from '@parley/sdk/files/attached.ts'
import { CannotOpenFile, openFile } from '@parley/sdk/files/index.ts'

/** Returns the bytes of a file; the stream fails with what `changed` returns where they are not those of its message. */
export function openStored(
  file: AttachedFile,
  stored: ReadableStream<Uint8Array>,
  changed: () => Error,
): ReadableStream<Uint8Array> {
  const reader = openFile(file, () => stored).getReader()
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
