// Reads the bytes of a file. What is sealed is opened here, and nothing of it is returned before it is checked: a whole file by its
// hash, a part by the segments in which it lies (load-part.ts).

import { ApiError } from '@parley/sdk'
import { client } from '../service/api.ts'
import { describeError } from '../service/describe-error.ts'
import { typeFor } from './kinds.ts'
import type { ShownFile } from './shown.ts'
import { readWaiting } from './waiting-files.ts'

/** The message of this error is a sentence for the reader. `isLasting` says that another try has the same result. */
export class FileProblem extends Error {
  readonly isLasting: boolean
  constructor(sentence: string, isLasting: boolean) {
    super(sentence)
    this.isLasting = isLasting
  }
}

const gone = () => new FileProblem('No longer stored here.', true)
export const changed = () => new FileProblem('This file was changed on its way and was not opened.', true)

interface Options {
  signal: AbortSignal
  /** Is called with the part that is here, from 0 to 1. */
  onProgress: (part: number) => void
}

/** Returns a whole file. Throws a `FileProblem`, or the reason of the signal. */
export async function loadFile(file: ShownFile, options: Options): Promise<Blob> {
  try {
    return new Blob(await read(file, options), { type: typeFor(file) })
  } catch (error) {
    throw problemOf(error, options.signal)
  }
}

/** Returns what a reader reads of a failure. Throws the reason of a signal that is aborted. */
export function problemOf(error: unknown, signal: AbortSignal): FileProblem {
  signal.throwIfAborted()
  if (error instanceof FileProblem) return error
  if (error instanceof ApiError && error.code === 'not_found') return gone()
  return new FileProblem(describeError(error), false)
}

async function read(file: ShownFile, { signal, onProgress }: Options): Promise<BlobPart[]> {
  const { id, sealed, size, waiting } = file
  const local = waiting === undefined ? undefined : await readWaiting(waiting)
  if (local) return [local]
  if (id === undefined) throw gone()
  const stored = await client.getFile({ file: id }, { signal })
  const bytes = sealed ? await opened(sealed, stored) : stored
  const parts: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  const reader = bytes.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    parts.push(value as Uint8Array<ArrayBuffer>)
    length += value.length
    onProgress(Math.min(length / size, 1))
  }
  if (length !== size) throw changed()
  return parts
}

async function opened(
  sealed: NonNullable<ShownFile['sealed']>,
  stored: ReadableStream<Uint8Array>,
): Promise<ReadableStream<Uint8Array>> {
  const { openStored } = await import('./open.ts')
  return openStored(sealed, stored, changed)
}
