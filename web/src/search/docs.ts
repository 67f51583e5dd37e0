// A message as the index gets and stores it.

import { toBytes } from '@parley/sdk/bytes.ts'
import { wordsOf } from '@parley/sdk/search/words.ts'
import type { Facts } from './segment.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** What a hit is shown with where the service cannot be reached. */
export interface StoredText {
  text: string
  /** The names of its files. */
  names: string[]
  nftid?: string | undefined
}

/** A message to be found. */
export interface NewDoc extends Omit<Facts, 'block' | 'place'>, StoredText {}

type Entry = [text: string, names?: string[], nftid?: string]

/** The texts of some messages, each at its place; null when the message is gone. */
export type Block = (Entry | null)[]

export const storedOf = ([text, names = [], nftid]: Entry): StoredText => ({ text, names, nftid })

export function entryOf({ text, names, nftid }: StoredText): Entry {
  if (nftid) return [text, names, nftid]
  return names.length > 0 ? [text, names] : [text]
}

export const json = (value: unknown): Bytes => toBytes(JSON.stringify(value))

/** Returns the places, in the order of ids, of the messages that have each word. */
export function wordsIn(docs: readonly NewDoc[]): Map<string, number[]> {
  const words = new Map<string, number[]>()
  for (const [n, { text, names }] of docs.toSorted((a, b) => a.id - b.id).entries())
    for (const word of wordsOf(text, ...names)) {
      const list = words.get(word)
      if (list) list.push(n)
      else words.set(word, [n])
    }
  return words
}
