import { kindOf } from '@parley/sdk/files/kinds.ts'
import type { Message } from '../messages/message.ts'
import { lengthText } from './names.ts'
import type { ShownFile } from './shown.ts'

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
