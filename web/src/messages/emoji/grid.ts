// The rows of the picker, and how the keyboard moves through them.

import type { Emoji, EmojiGroup } from './table.ts'

const columns = 8

/** A row has a heading, or emoji: `from` counts those before it. */
export type Row = { heading: string } | { emoji: Emoji[]; from: number }

/** Returns the rows of the groups; with a search text those of what it finds. */
export function rowsOf(groups: EmojiGroup[], search: string): Row[] {
  const shown = search ? [{ label: 'Found', emoji: find(groups, search) }] : groups
  const rows: Row[] = []
  let from = 0
  for (const { label, emoji } of shown) {
    if (emoji.length === 0) continue
    rows.push({ heading: label })
    for (let at = 0; at < emoji.length; at += columns) {
      const part = emoji.slice(at, at + columns)
      rows.push({ emoji: part, from })
      from += part.length
    }
  }
  return rows
}

/** Finds the emoji that have all words of the search text, those with the name first. */
function find(groups: EmojiGroup[], search: string): Emoji[] {
  const wanted = search.toLowerCase().split(/\s+/).filter(Boolean)
  const all = [...new Map(groups.flatMap(({ emoji }) => emoji).map((one) => [one.value, one])).values()]
  const found = all.filter(({ words }) => wanted.every((word) => ` ${words}`.includes(` ${word}`)))
  const isNamed = ({ name }: Emoji) => ` ${name.toLowerCase()}`.includes(` ${wanted[0]}`)
  return [...found.filter(isNamed), ...found.filter((one) => !isNamed(one))]
}

/** Returns the emoji with a number, and its row. */
export function emojiAt(rows: Row[], at: number): { emoji: Emoji; row: number } | undefined {
  for (const [index, row] of rows.entries()) {
    const emoji = 'emoji' in row ? row.emoji[at - row.from] : undefined
    if (emoji) return { emoji, row: index }
  }
  return undefined
}

const countIn = (rows: Row[]): number =>
  rows.reduce((sum, row) => sum + ('emoji' in row ? row.emoji.length : 0), 0)

/** Returns the number of the emoji to which a key moves; undefined for another key. */
export function moved(rows: Row[], at: number, key: string): number | undefined {
  const last = countIn(rows) - 1
  const lines = rows.filter((row) => 'emoji' in row)
  const line = lines.findLastIndex(({ from }) => from <= at)
  const column = at - (lines[line]?.from ?? 0)
  const inLine = (to: number) => {
    const next = lines[Math.max(0, Math.min(to, lines.length - 1))]
    return next ? next.from + Math.min(column, next.emoji.length - 1) : 0
  }
  const to = {
    ArrowRight: () => at + 1,
    ArrowLeft: () => at - 1,
    ArrowDown: () => inLine(line + 1),
    ArrowUp: () => inLine(line - 1),
    PageDown: () => inLine(line + 5),
    PageUp: () => inLine(line - 5),
    Home: () => lines[line]?.from ?? 0,
    End: () => (lines[line]?.from ?? 0) + (lines[line]?.emoji.length ?? 1) - 1,
  }[key]
  return to && Math.max(0, Math.min(to(), last))
}
