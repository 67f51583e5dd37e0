// Reads JSON of any size item by item: one item is in memory, never the file.

import type { Readable } from 'node:stream'
import { JSONParser } from '@streamparser/json'
import { ImportError } from './records.ts'

/** One message has fewer characters than this, with everything that belongs to it. */
const mostOfItem = 16 * 2 ** 20

interface Item {
  value: unknown
  /** These are the keys from the root to the item. */
  keys: (string | number)[]
}

/** Yields the values at some paths of a JSON file, such as `$.messages.*`, in their order. */
export async function* itemsOf(file: Readable, name: string, paths: string[]): AsyncGenerator<Item, void> {
  let found: Item[] = []
  let since = 0
  const parser = new JSONParser({ paths, keepStack: false })
  parser.onValue = ({ value, key, stack }) => {
    found.push({ value, keys: [...stack.slice(1).map((one) => one.key!), key!] })
    since = 0
  }
  const refuse = (why: string) => new ImportError(`${name} cannot be read: ${why}.`)
  for await (const chunk of file as AsyncIterable<Buffer>) {
    since += chunk.length
    try {
      parser.write(chunk)
    } catch (error) {
      throw refuse((error as Error).message.slice(0, 200))
    }
    yield* found
    found = []
    if (since > mostOfItem) throw refuse('one of its items is larger than 16 MiB')
  }
  yield* found
  if (!parser.isEnded) throw refuse('it ends in the middle')
}

/** Yields the values of a file that has one on each line. */
export async function* linesOf(file: Readable, name: string): AsyncGenerator<unknown, void> {
  let rest = ''
  let line = 0
  const parse = (text: string): unknown => {
    line++
    try {
      return JSON.parse(text)
    } catch {
      throw new ImportError(`${name} cannot be read: line ${line} is no JSON.`)
    }
  }
  file.setEncoding('utf8')
  for await (const chunk of file as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop()!
    for (const text of lines) if (text.trim()) yield parse(text)
    if (rest.length > mostOfItem)
      throw new ImportError(`${name} cannot be read: line ${line + 1} is larger than 16 MiB.`)
  }
  if (rest.trim()) yield parse(rest)
}
