// What emoji are called. Those that are offered first have their names here; the names of all others are loaded when one
// of them is shown. Until then an emoji is its own name.

import { useEffect } from 'react'
import { createStore, useStore } from '../../state/store.ts'
import { tones, toneWords } from './tones.ts'

/** These reactions are offered first. */
export const basicEmoji = ['👍', '❤️', '😂', '🎉', '😮', '🙏'] as const

const basicNames = new Map([
  ['👍', 'thumbs up'],
  ['❤️', 'red heart'],
  ['😂', 'face with tears of joy'],
  ['🎉', 'party popper'],
  ['😮', 'face with open mouth'],
  ['🙏', 'folded hands'],
])

const names = createStore<ReadonlyMap<string, string>>(basicNames)

/** Loads all emoji, in groups. */
export async function loadEmoji() {
  const { groups } = await import('./table.ts')
  if (names.get() === basicNames)
    names.set(new Map(groups.flatMap(({ emoji }) => emoji.map(({ value, name }) => [value, name]))))
  return groups
}

const anyTone = new RegExp(tones.filter(Boolean).join('|'), 'gu')

/** A skin tone is in the place of a selector. */
function nameIn(all: ReadonlyMap<string, string>, value: string): string | undefined {
  const [tone] = value.match(anyTone) ?? []
  if (!tone) return all.get(value)
  const name = all.get(value.replace(anyTone, '')) ?? all.get(value.replace(anyTone, '\u{fe0f}'))
  return name && `${name}, ${toneWords[tones.findIndex((one) => one === tone)]} skin tone`
}

/** Returns the name of an emoji that has one here by now, else the emoji. */
export const emojiName = (value: string): string => nameIn(names.get(), value) ?? value

/** Returns a function that names emoji, and loads the names that `values` need. */
export function useEmojiNames(values: readonly string[]): (value: string) => string {
  const all = useStore(names)
  const isMissing = all === basicNames && values.some((value) => isEmoji(value) && !nameIn(all, value))
  useEffect(() => {
    if (isMissing) loadEmoji().catch(() => {})
  }, [isMissing])
  return (value) => nameIn(all, value) ?? value
}

/** What an encrypted conversation has in the place of an emoji is longer. */
const isEmoji = (value: string): boolean => value.length <= 16
