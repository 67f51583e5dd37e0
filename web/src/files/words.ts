// What is said of files where a message has one line, and for those who do not see them.

import { kindOf, wordFor } from '@parley/sdk/files/kinds.ts'
import type { Message } from '../messages/message.ts'
import { lengthText } from './names.ts'
import type { ShownFile } from './shown.ts'
import { textOfFiles } from './text.ts'

type Facts = Pick<ShownFile, 'name' | 'type' | 'width' | 'wave'>

export const unreadableText = (count: number): string =>
  `${count === 1 ? '1 file' : `${count} files`} can’t be read`

/** Returns what stands on one line for a message that has files and no other text; else undefined. */
export function saidOfFiles(text: string, files: readonly Facts[], unreadable = 0): string | undefined {
  if (files.length === 0) return unreadable > 0 && text === '' ? unreadableText(unreadable) : undefined
  return text === '' || text === textOfFiles(files) ? wordFor(files) : undefined
}

/** Returns what a picture or video is for somebody who does not see it. */
export function describe(file: ShownFile, { mine, author }: Pick<Message, 'mine' | 'author'>): string {
  const { width, height, duration, alt } = file
  const word = kindOf(file) === 'video' ? 'Video' : 'Photo'
  if (alt) return `${word} from ${mine ? 'you' : author}, described: ${alt}`
  const facts = [
    width !== undefined && height !== undefined && `${width} by ${height}`,
    word === 'Video' && duration !== undefined && lengthText(duration / 1000),
  ]
  return [word, ...facts.filter(Boolean), 'no description'].join(', ')
}
