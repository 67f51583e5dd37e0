// Messages are formatted by a small subset of Markdown, as people type it in chats (docs/formatting.md): a line
// break is one, an underscore or a star within a word is text, and a link shows where it leads. Everything that is typed
// is shown, except the markers of what is formatted. It takes a time that grows with the length of the text.

import { blockParts } from './blocks.ts'
import type { Part } from './part.ts'

export type { FormattedElement, Part } from './part.ts'

/** Returns false for a text without any marker. */
export const hasMarkers = (text: string): boolean =>
  /[*_~`]|^[ \t]{0,20}(?:>|-[ \t]|\d{1,9}[.)][ \t])/m.test(text)

/** A message of more elements than this is shown as it was typed: a page would take long for them. */
const mostElements = 1000

/** Returns the parts of a message. */
export function partsOf(message: string): Part[] {
  if (!hasMarkers(message)) return [message]
  const parts = blockParts(message.replaceAll(/\r\n?/g, '\n'))
  return countElements(parts) > mostElements ? [message] : parts
}

const countElements = (parts: Part[]): number =>
  parts.reduce((sum, part) => (typeof part === 'string' ? sum : sum + 1 + countElements(part.parts)), 0)

/** Returns the text of parts, without a separation of blocks. */
export const textOf = (parts: Part[]): string =>
  parts.map((part) => (typeof part === 'string' ? part : textOf(part.parts))).join('')

/** One line shows less than this number of characters. */
const longestLine = 1000

/** Returns the beginning of a message as one line, without the markers of its formatting. */
export const plainText = (message: string): string =>
  lineOf(partsOf(message.slice(0, longestLine)))
    .replaceAll(/\s*\n\s*/g, ' ')
    .trim()

const lineOf = (parts: Part[]): string =>
  parts
    .map((part) => {
      if (typeof part === 'string') return part
      if (part.tag === 'li')
        return `\n${part.value === undefined ? '•' : `${part.value}.`} ${lineOf(part.parts)}\n`
      const isInline = ['strong', 'em', 'del', 'code'].includes(part.tag)
      return isInline ? lineOf(part.parts) : `\n${lineOf(part.parts)}\n`
    })
    .join('')
