import { ApiError, maxMessageBytes } from '@parley/sdk'
import type { AttachedFile } from '@parley/sdk/files/attached.ts'
import { sealedSize } from '../keys/crypto/sealed-size.ts'
import type { Upload } from '../thread/uploads.ts'
import { readPreview } from './waiting-files.ts'

/** Returns what an encrypted message says of its files, with as many small pictures as it has room for. */
export async function attachedFiles(text: string, uploads: Upload[]): Promise<AttachedFile[]> {
  const previews = await Promise.all(uploads.map(({ key }) => readPreview(key)))
  for (let pictures = uploads.length; pictures >= 0; pictures--) {
    const files = uploads.map((upload, n) => attachedFile(upload, n < pictures ? previews[n] : undefined))
    if (sealedSize(text, files) <= maxMessageBytes) return files
  }
  throw new ApiError(
    'payload_too_large',
    'The text and the descriptions of the files are too long for one encrypted message. Send it in two.',
  )
}

function attachedFile(
  { name, type, size, width, height, duration, wave, thumbhash, alt, made }: Upload,
  preview: string | undefined,
): AttachedFile {
  const { key, hash } = made!.opens!
  const about = { width, height, duration, wave, thumbhash, preview, alt }
  const known = Object.entries(about).filter(([, value]) => value !== undefined)
  return { id: made!.id, key, hash, name, type, size, ...Object.fromEntries(known) }
}
