import type { Bytes } from '../bytes.ts'

/** Returns a stream of parts that are made as they are read: no part is made before its reader asks for it. */
export const streamOf = (parts: AsyncGenerator<Bytes, void, void>): ReadableStream<Bytes> =>
  new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await parts.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      async cancel() {
        await parts.return()
      },
    },
    { highWaterMark: 0 },
  )

/** Reads a stream in portions of the sizes that its reader needs. */
export interface Portions {
  /** Returns the next bytes, fewer than asked for only where the stream ends. */
  take: (size: number) => Promise<Bytes>
  isAtEnd: () => Promise<boolean>
  cancel: () => Promise<void>
}

export function portionsOf(stream: ReadableStream<Uint8Array>): Portions {
  const reader = stream.getReader()
  let chunk: Uint8Array = new Uint8Array()
  /** Returns false at the end of the stream. */
  async function fill(): Promise<boolean> {
    while (chunk.length === 0) {
      const { done, value } = await reader.read()
      if (done) return false
      chunk = value
    }
    return true
  }
  return {
    async take(size) {
      const portion = new Uint8Array(size)
      let length = 0
      while (length < size && (await fill())) {
        const part = chunk.subarray(0, size - length)
        portion.set(part, length)
        length += part.length
        chunk = chunk.subarray(part.length)
      }
      return portion.subarray(0, length)
    },
    isAtEnd: async () => !(await fill()),
    cancel: () => reader.cancel(),
  }
}

/** Returns the part of some bytes that lies from `from` to `to`, where the bytes begin at `at`. */
export const within = (bytes: Bytes, at: number, from: number, to: number): Bytes =>
  bytes.subarray(Math.max(from - at, 0), Math.max(to - at, 0))
