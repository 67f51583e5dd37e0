// The room that a picture or video has in a bubble. It follows from what the message says of it, so nothing moves when it is there.

import type { ShownFile } from './shown.ts'

interface Box {
  width: number
  height: number
}

const largest: Box = { width: 320, height: 420 }
const smallest: Box = { width: 120, height: 64 }
/** One of unknown size has this room. */
const usual: Box = { width: 280, height: 210 }

/** Returns the room for one picture. With a text below it, it is as wide as some words are, and a tall one as the text may be. */
export function boxOf({ width, height }: Pick<ShownFile, 'width' | 'height'>, hasText: boolean): Box {
  if (!width || !height) return usual
  const scale = Math.min(1, largest.width / width, largest.height / height)
  const high = Math.max(smallest.height, Math.round(height * scale))
  const least = !hasText ? smallest.width : high > usual.height ? largest.width : 220
  return { width: Math.max(least, Math.round(width * scale)), height: high }
}

/** This number of pictures is in a grid; the last one says how many more there are. */
export const mostInGrid = 4

/** Returns the room for several pictures. */
export const gridOf = (count: number): Box => ({
  width: largest.width,
  height: count === 2 ? 160 : count === 3 ? 240 : 320,
})
