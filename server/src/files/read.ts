// Reads files of the store, whose parts lie one by one.

import { countUsed } from './garbage.ts'
import type { FileStore } from './store.ts'

/** What the row of a file says of its bytes. */
export interface StoredFile {
  id: string
  size: number
  parts: string[]
  /** Each part ends before this byte of the file. */
  part_ends: number[]
}

/** Yields the bytes of a file from one to another, which is not read. */
export async function* bytesOf(
  store: FileStore,
  { id, size, parts, part_ends: ends }: StoredFile,
  start = 0,
  end = size,
): AsyncGenerator<Buffer, void, undefined> {
  for (const [n, part] of parts.entries()) {
    const first = ends[n - 1] ?? 0
    const [from, to] = [Math.max(0, start - first), Math.min(ends[n]!, end) - first]
    if (from >= to) continue
    for await (const chunk of store.read(id, part, from, to) as AsyncIterable<Buffer>) {
      yield chunk
      countUsed(chunk)
    }
  }
}

/** Does the same, and reads the first of them before it resolves: it rejects where they are missing. */
export async function openBytes(
  store: FileStore,
  file: StoredFile,
  start?: number,
  end?: number,
): Promise<AsyncGenerator<Buffer, void, undefined>> {
  const bytes = bytesOf(store, file, start, end)
  const { value: first } = await bytes.next()
  if (!first) throw Object.assign(new Error('The parts of this file are empty.'), { code: 'ENOENT' })
  return all(first, bytes)
}

async function* all(first: Buffer, rest: AsyncGenerator<Buffer, void, undefined>) {
  try {
    yield first
    yield* rest
  } finally {
    // The reader may leave before the rest has begun.
    await rest.return()
  }
}
