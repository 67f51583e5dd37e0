// Lines that begin alike are a block: `> ` quotes, `- ` or `* ` and `1. ` list, and code is between ``` and ```.

import { inlineParts } from './inline.ts'
import type { FormattedElement, Part } from './part.ts'

/** Blocks in blocks are at most this deep; below, a text stands as it was typed. */
const deepest = 4

/** The parts that were read from some lines; `next` is the line after them. */
interface Block {
  parts: Part[]
  next: number
}

/** Returns the parts of a text. */
export function blockParts(text: string, depth = 0): Part[] {
  const lines = text.split('\n')
  const parts: Part[] = []
  let plain: string[] = []
  const endPlain = (isAtEnd: boolean) => {
    parts.push(...prose(plain, parts.length > 0, !isAtEnd))
    plain = []
  }
  for (let n = 0; n < lines.length; n++) {
    const block = depth < deepest ? blockAt(lines, n, depth) : undefined
    if (!block) {
      plain.push(lines[n]!)
      continue
    }
    const { before, parts: found, next, after } = block
    if (before) plain.push(before)
    endPlain(false)
    parts.push(...found)
    n = next - 1
    // What follows the end of code in its line is read as a line.
    if (after) lines[n--] = after
  }
  endPlain(true)
  return parts
}

/** Empty lines beside a block are left out: it has margins. */
function prose(lines: string[], isAfter: boolean, isBefore: boolean): Part[] {
  let text = lines.join('\n')
  if (isAfter) text = text.replace(/^(?:[ \t]*\n)+/, '')
  if (isBefore) text = text.trimEnd()
  // No marker has its counterpart beyond an empty line.
  return text.split(/(\n(?:[ \t]*\n)+)/).flatMap((one, n) => (n % 2 ? [one] : inlineParts(one)))
}

function blockAt(
  lines: string[],
  n: number,
  depth: number,
): (Block & { before?: string; after?: string }) | undefined {
  const line = lines[n]!
  if (isQuote(line)) return quoteAt(lines, n, depth)
  if (line.includes('```')) return codeAt(lines, n)
  return itemOf(line) && listAt(lines, n, depth)
}

/**
 * Reads code that begins in a line and ends in a later one, or with the text where it begins the line. The backticks may
 * have other text before and after them, as people type it.
 */
function codeAt(lines: string[], n: number) {
  const runs = [...lines[n]!.matchAll(/`{3,}/g)]
  const begin = runs.at(-1)
  if (!begin || runs.length % 2 === 0) return undefined
  const before = lines[n]!.slice(0, begin.index)
  const first = lines[n]!.slice(begin.index + begin[0].length)
  let last = n + 1
  while (last < lines.length && !lines[last]!.includes(begin[0])) last++
  const hasEnd = last < lines.length
  if (!hasEnd && before.trim() !== '') return undefined
  const body = lines.slice(n + 1, last)
  const at = hasEnd ? lines[last]!.indexOf(begin[0]) : 0
  const [code, after] = hasEnd
    ? [lines[last]!.slice(0, at), lines[last]!.slice(at).replace(/^`+/, '')]
    : ['', '']
  if (code.trim() !== '') body.push(code)
  const language = /^[\w+#.-]{1,20}$/.exec(first.trim())?.[0]
  if (!language && first.trim() !== '') body.unshift(first)
  if (body.every((one) => one.trim() === '')) return undefined
  const indent = /^[ \t]*$/.test(before) ? before.length : 0
  const text = body.map((one) => (one.slice(0, indent).trim() === '' ? one.slice(indent) : one)).join('\n')
  const element: FormattedElement = { tag: 'pre', parts: [text], ...(language && { language }) }
  return {
    parts: [element],
    next: Math.min(last + 1, lines.length),
    ...(before.trim() !== '' && { before }),
    ...(after.trim() !== '' && { after: after.trimStart() }),
  }
}

/** One to three signs stand before a space, so that >_< is no quote. An empty line may be within one. */
const isQuote = (line: string): boolean => /^ {0,3}>{1,3} +\S/.test(line)
const isInQuote = (line: string): boolean => /^ {0,3}>{1,3}(?: |$)/.test(line)

function quoteAt(lines: string[], n: number, depth: number): Block {
  let next = n + 1
  while (next < lines.length && isInQuote(lines[next]!)) next++
  const inner = lines.slice(n, next).map((line) => line.replace(/^ {0,3}> ?/, ''))
  return { parts: [{ tag: 'blockquote', parts: blockParts(inner.join('\n').trimEnd(), depth + 1) }], next }
}

interface Item {
  indent: number
  /** The number that was typed; undefined for a bullet. */
  value: number | undefined
  text: string
}

function itemOf(line: string): Item | undefined {
  const [, space = '', marker, text = ''] =
    /^([ \t]{0,20})([-*]|\d{1,9}[.)])[ \t]+(?![-*](?:[ \t]|$))(\S.*)$/.exec(line) ?? []
  if (!marker) return undefined
  return { indent: space.length, value: /\d/.test(marker) ? parseInt(marker, 10) : undefined, text }
}

/** What is indented more than an item belongs to it. */
function listAt(lines: string[], n: number, depth: number): Block {
  const first = itemOf(lines[n]!)!
  const isNumbered = first.value !== undefined
  const items: Part[] = []
  let next = n
  while (next < lines.length) {
    const item = itemOf(lines[next]!)
    if (!item || item.indent !== first.indent || (item.value !== undefined) !== isNumbered) break
    const inner = [item.text]
    while (++next < lines.length && indentOf(lines[next]!) > item.indent) inner.push(lines[next]!)
    items.push({
      tag: 'li',
      parts: blockParts(dedent(inner), depth + 1),
      ...(item.value !== undefined && { value: item.value }),
    })
  }
  return { parts: [{ tag: isNumbered ? 'ol' : 'ul', parts: items }], next }
}

/** An empty line has no indent. */
const indentOf = (line: string): number => (/^[ \t]*(?=\S)/.exec(line)?.[0] ?? '').length

/** Takes the common indent of all lines but the first away from them. */
function dedent([first, ...rest]: string[]): string {
  const indent = rest.reduce((least, line) => Math.min(least, indentOf(line)), Infinity)
  return [first, ...rest.map((line) => line.slice(indent))].join('\n')
}
