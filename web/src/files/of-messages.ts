// The files of a message, as it shows them.

import type { FileItem } from '@parley/sdk/contract/files.ts'
import type { ReadFiles } from '@parley/sdk/files/attached.ts'
import type { Message } from '../messages/message.ts'
import type { ShownFile } from './shown.ts'

type Shown = Pick<Message, 'files' | 'unreadableFiles'>

const shown = (files: ShownFile[], unreadable: number): Shown => ({
  ...(files.length > 0 && { files }),
  ...(unreadable > 0 && { unreadableFiles: unreadable }),
})

/** Returns the files of a message in the clear. Nobody can read one that is sealed: its key is in no message. */
export function plainFiles(items: FileItem[] = []): Shown {
  const plain = items.filter(({ sealed }) => !sealed)
  return shown(plain.map(shownPlain), items.length - plain.length)
}

function shownPlain({
  sealed: _sealed,
  name = 'file',
  type = 'application/octet-stream',
  ...file
}: FileItem): ShownFile {
  return { ...file, key: file.id, name, type }
}

/**
 * Returns the files of an encrypted message that is opened: those of which its body has the keys, and that the service has
 * with it.
 */
export function sealedFiles({ files, unreadable }: ReadFiles, items: FileItem[] = []): Shown {
  const there = new Set(items.map(({ id }) => id))
  const stored = files.filter(({ id }) => there.has(id))
  return shown(stored.map(shownSealed), unreadable)
}

function shownSealed(sealed: ReadFiles['files'][number]): ShownFile {
  const { key: _key, hash: _hash, ...facts } = sealed
  return { ...facts, key: sealed.id, sealed }
}
