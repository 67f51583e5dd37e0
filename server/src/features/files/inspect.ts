import { createHash } from 'node:crypto'
import { filePartBytes } from '@parley/sdk/contract/files.ts'
import { fileTypeFromBuffer } from 'file-type'
import type { FileStore } from '../../files/store.ts'
import { countUsed } from './garbage.ts'

interface Whole {
  id: string
  size: number
  parts: string[]
  sealed: boolean
}

/** The beginning of a file by which its type is recognised; nothing in it is unpacked or decoded. */
const beginning = 4100

/** Yields the bytes of a file from one to another, which is not read. */
export async function* bytesOf(
  store: FileStore,
  { id, size, parts }: Omit<Whole, 'sealed'>,
  start = 0,
  end = size,
): AsyncGenerator<Buffer, void, undefined> {
  for (const [n, part] of parts.entries()) {
    const first = n * filePartBytes
    const [from, to] = [Math.max(0, start - first), Math.min(filePartBytes, end - first)]
    if (from >= to) continue
    for await (const chunk of store.read(id, part, from, to) as AsyncIterable<Buffer>) {
      yield chunk
      countUsed(chunk)
    }
  }
}

/** Reads a whole file: returns its hash, and the type of its bytes where it is known and nobody has encrypted it. */
export async function inspect(
  store: FileStore,
  file: Whole,
): Promise<{ sha256: string; type: string | undefined }> {
  const hash = createHash('sha256')
  let head = Buffer.alloc(0)
  for (const part of file.parts)
    await store.scan(file.id, part, (bytes) => {
      hash.update(bytes)
      if (head.length < beginning) head = Buffer.concat([head, bytes.subarray(0, beginning - head.length)])
    })
  return { sha256: hash.digest('hex'), type: file.sealed ? undefined : await typeOf(head) }
}

/** A library of others reads bytes of others: where it fails, the type is unknown. */
async function typeOf(head: Buffer): Promise<string | undefined> {
  const found = await fileTypeFromBuffer(head).catch(() => undefined)
  return found?.mime.split(';')[0]
}
