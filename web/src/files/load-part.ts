import { maybeTemporary, withRetry } from '@parley/sdk/retry.ts'
import { client } from '../service/api.ts'
import { changed, FileProblem, problemOf } from './load.ts'
import type { ShownFile } from './shown.ts'

/** More came than the range: something between the page and the service takes ranges out of requests. */
export class NoRanges extends Error {}

interface Range {
  start: number
  end: number
}

/** It is read again where the connection broke, because its element waits. */
const again = { attempts: 3, longestWait: 5000 }

const mayRepeat = (error: unknown): boolean =>
  !(error instanceof FileProblem || error instanceof NoRanges) && maybeTemporary(error)

/** Returns the bytes of a file from `start` up to `end`. Throws a `FileProblem`, a `NoRanges`, or the reason of the signal. */
export async function loadPart(
  file: ShownFile,
  range: Range,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  if (range.start >= range.end) return new Uint8Array()
  try {
    return await withRetry(async () => read(file, range, signal), mayRepeat, again, signal)
  } catch (error) {
    if (error instanceof NoRanges) throw error
    throw problemOf(error, signal)
  }
}

async function read({ id, sealed }: ShownFile, { start, end }: Range, signal: AbortSignal) {
  const stored = async (from: number, to: number) => {
    const range = `bytes=${from}-${to - 1}`
    return upTo(to - from, await client.getFile({ file: id! }, { signal, headers: { range } }))
  }
  const stream = sealed
    ? (await import('./open.ts')).openStoredPart(sealed, stored, { start, end, changed })
    : await stored(start, end)
  const bytes = new Uint8Array(end - start)
  let length = 0
  const reader = stream.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    bytes.set(value, length)
    length += value.length
  }
  if (length !== bytes.length) throw changed()
  return bytes
}

/** Returns a stream that fails where it has more bytes than this. */
function upTo(most: number, stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  let length = 0
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      length += chunk.length
      if (length > most) throw new NoRanges()
      controller.enqueue(chunk)
    },
  })
  return stream.pipeThrough(counting)
}
