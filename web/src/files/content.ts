// The bytes of a file as the service gets them: encrypted in an encrypted conversation, else as they are.

import { ApiError } from '@parley/sdk'
import { fromBase64 } from '@parley/sdk/bytes.ts'
import { hashFile, sealFile } from '@parley/sdk/files'
import type { Upload } from '../thread/uploads.ts'

export interface Content {
  size: number
  /** The hash is hexadecimal. */
  sha256: string
  isSealed: boolean
  opens?: NonNullable<Upload['made']>['opens']
  read: (start: number, end: number) => Promise<Blob>
}

/** This is the file that was read last: an upload that waits for a connection tries again many times. */
let last: { name: string; content: Promise<Content> } | undefined

/** Reads a file, and returns what is uploaded of it. */
export async function contentOf(file: Blob, upload: Upload, isSealed: boolean): Promise<Content> {
  const name = `${upload.key} ${isSealed}`
  if (last?.name !== name) last = { name, content: readContent(file, upload, isSealed) }
  try {
    return await last.content
  } catch (cause) {
    last = undefined
    // Only reading fails: the file was changed or deleted before this browser had stored it.
    throw new ApiError(
      'conflict',
      `${upload.name} can’t be read any more. Delete the message, and send it again.`,
      { cause },
    )
  }
}

async function readContent(file: Blob, { secret }: Upload, isSealed: boolean): Promise<Content> {
  if (!isSealed) {
    const hash = await hashFile(file)
    const read = async (start: number, end: number) => file.slice(start, end)
    return { size: file.size, sha256: toHex(hash), isSealed, read }
  }
  const sealing = await sealFile(file, fromBase64(secret))
  const hash = await sealing.hash()
  return {
    size: sealing.sealedSize,
    sha256: toHex(hash),
    isSealed,
    opens: { key: sealing.key, hash },
    read: async (start, end) => new Response(sealing.sealFrom(start, end)).blob(),
  }
}

const toHex = (hash: string): string =>
  Array.from(fromBase64(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')
