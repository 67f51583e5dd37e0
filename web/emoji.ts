// The emoji that the client offers: emojibase has them with names and words to search for, in 775 KB. The client loads a
// table of what it shows, a fifteenth of that when it is compressed.

import { createRequire } from 'node:module'
import type { Plugin } from 'vite'

interface Emoji {
  emoji: string
  label: string
  tags?: string[]
  group?: number
  order?: number
  version: number
  skins?: unknown[]
}

/** A service may run on Node.js 20, which knows the emoji of this version and takes no others as reactions. */
const newest = 15
/** A reaction has at most this many bytes. */
const maxBytes = 32
/** The group of parts, such as a skin tone. */
const parts = 2

const recommended = /^\p{RGI_Emoji}$/v
const isRecommended = (value: string) => recommended.test(value) && Buffer.byteLength(value) <= maxBytes

/** Returns an emoji as Unicode recommends it: some have no selector. */
const recommendedForm = (value: string) => (isRecommended(value) ? value : value.replaceAll('\u{fe0f}', ''))

const withTone = (value: string, tone: string) =>
  value.replace(/(\p{Emoji_Modifier_Base})\u{fe0f}?/gu, `$1${tone}`)

const hasTones = (value: string) =>
  ['🏻', '🏼', '🏽', '🏾', '🏿'].every((tone) => isRecommended(withTone(value, tone)))

/** Each line has an emoji, its name, words for the search, and 1 when it has skin tones; or `#` and the number of a group. */
export function emojiTable(): string {
  const all = createRequire(import.meta.url)('emojibase-data/en/data.json') as Emoji[]
  const lines: string[] = []
  let last: number | undefined
  for (const { emoji, label, tags = [], group, version, skins } of all.toSorted(
    (a, b) => (a.order ?? 0) - (b.order ?? 0),
  )) {
    const value = recommendedForm(emoji)
    if (group === undefined || group === parts || version > newest || !isRecommended(value)) continue
    if (group !== last) lines.push(`#${group}`)
    last = group
    lines.push([value, label, tags.join(' '), skins && hasTones(value) ? '1' : ''].join('\t'))
  }
  return lines.join('\n')
}

/** The file of emojibase is that table in the client. */
export const emoji = (): Plugin => ({
  name: 'emoji',
  enforce: 'pre',
  load: { filter: { id: /\/emojibase-data\/en\/data\.json$/ }, handler: () => JSON.stringify(emojiTable()) },
})
