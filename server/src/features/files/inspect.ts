import { createHash } from 'node:crypto'
import type { FileStore } from '../../files/store.ts'
import type { FileRow } from './store.ts'

type Whole = Pick<FileRow, 'id' | 'parts' | 'sealed'>

/** The beginning of a file by which its type is recognised; nothing in it is unpacked or decoded. */
const beginning = 4100

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
  const { fileTypeFromBuffer } = await import('file-type')
  const found = await fileTypeFromBuffer(head).catch(() => undefined)
  return found?.mime.split(';')[0]
}
