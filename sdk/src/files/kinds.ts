// What a client does with a file follows from its type, and where a message has one line, a word stands for its files.

import { withoutUnseen } from '../unseen.ts'

type FileKind = 'picture' | 'video' | 'sound' | 'file'

/** Browsers show these types, and none of them has scripts. */
const kinds: Record<string, FileKind> = {
  'image/png': 'picture',
  'image/apng': 'picture',
  'image/jpeg': 'picture',
  'image/gif': 'picture',
  'image/webp': 'picture',
  'image/avif': 'picture',
  'video/mp4': 'video',
  'video/webm': 'video',
  'audio/mpeg': 'sound',
  'audio/mp4': 'sound',
  'audio/x-m4a': 'sound',
  'audio/aac': 'sound',
  'audio/ogg': 'sound',
  'audio/opus': 'sound',
  'audio/webm': 'sound',
  'audio/wav': 'sound',
  'audio/vnd.wave': 'sound',
  'audio/flac': 'sound',
  'audio/x-flac': 'sound',
  'application/ogg': 'sound',
}

interface Facts {
  name?: string | undefined
  type?: string | undefined
  width?: number | undefined
  /** A sound that was recorded for a message has this. */
  wave?: string | undefined
}

export function kindOf({ type = '', width, wave }: Facts): FileKind {
  const kind = kinds[type] ?? 'file'
  // The container of a recorded voice is often that of a video.
  return kind === 'video' && wave !== undefined && width === undefined ? 'sound' : kind
}

type PictureType = 'image/jpeg' | 'image/png' | 'image/webp' | 'image/gif'

/** Returns the type of a picture by its first 12 bytes, whatever its name says; undefined where it has another one. */
export function pictureTypeOf(bytes: Uint8Array): PictureType | undefined {
  const start = String.fromCodePoint(...bytes.subarray(0, 12))
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (start.startsWith('RIFF') && start.endsWith('WEBP')) return 'image/webp'
  return start.startsWith('GIF8') ? 'image/gif' : undefined
}

/** Returns what stands for the files of a message: Photo, Voice note, 3 files, or the name of the file. */
export function wordFor(files: readonly Facts[]): string {
  const [file, another] = files
  if (!file) return ''
  if (another) return `${files.length} files`
  const kind = kindOf(file)
  if (kind === 'picture') return 'Photo'
  if (kind === 'video') return 'Video'
  return kind === 'sound' && file.wave !== undefined ? 'Voice note' : withoutUnseen(file.name ?? '') || 'File'
}
