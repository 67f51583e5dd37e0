import { wordFor } from '@parley/sdk/files/kinds.ts'
import type { ShownFile } from '../files/shown.ts'
import { textOfFiles } from '../files/text.ts'
import { onOneLine } from './format.ts'

interface Said {
  text: string
  files?: readonly Pick<ShownFile, 'name' | 'type' | 'width' | 'wave'>[] | undefined
  unreadableFiles?: number | undefined
}

/** Says that files of a message can't be read. */
export const unreadableText = (count: number): string =>
  `${count === 1 ? '1 file' : `${count} files`} can’t be read`

/** Returns what stands for a message that has files and no other text, such as "Photo"; else undefined. */
export function saidOfFiles({ text, files = [], unreadableFiles = 0 }: Said): string | undefined {
  if (files.length === 0)
    return unreadableFiles > 0 && text === '' ? unreadableText(unreadableFiles) : undefined
  const isBare = text === '' || text === textOfFiles(files.map(({ name }) => name))
  return isBare ? wordFor(files) : undefined
}

/** Returns what stands for a message where it has one line. */
export const lineOf = (message: Said): string => saidOfFiles(message) ?? onOneLine(message.text)
