// All emoji that can be chosen. This loads when the first of them is needed.

import data from 'emojibase-data/en/data.json' with { type: 'json' }

export interface Emoji {
  value: string
  name: string
  /** A search finds it by these, and by its name. */
  words: string
  hasTones: boolean
}

export interface EmojiGroup {
  label: string
  emoji: Emoji[]
}

/** These are the groups of Unicode, by their number. */
const labels = [
  'Smileys',
  'People',
  '',
  'Animals and nature',
  'Food and drink',
  'Travel and places',
  'Activities',
  'Objects',
  'Symbols',
  'Flags',
]

/** The build puts a table in the place of the data (web/emoji.ts). */
export const groups: EmojiGroup[] = []
for (const line of (data as unknown as string).split('\n')) {
  const [value = '', name = '', words = '', tones] = line.split('\t')
  if (value.startsWith('#') && name === '') groups.push({ label: labels[Number(value.slice(1))]!, emoji: [] })
  else
    groups
      .at(-1)!
      .emoji.push({ value, name, words: `${name} ${words}`.toLowerCase(), hasTones: tones === '1' })
}
