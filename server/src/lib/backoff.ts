/**
 * The pauses between attempts that fail one after the other, in milliseconds: each is twice as long
 * as the one before.
 */
export interface Backoff {
  next: () => number
  /** After a success: the next pause is the first one again. */
  reset: () => void
}

interface Options {
  first: number
  longest: number
  /** The first retry is made at once. */
  atOnce?: boolean
  /** Takes off up to half of each pause, so that many instances do not try at the same moment. */
  random?: boolean
}

/** `{ first: 100, longest: 5000 }` gives 100, 200, 400 … 3200, 5000, 5000 … */
export function createBackoff({ first, longest, atOnce = false, random = false }: Options): Backoff {
  let pause = atOnce ? 0 : first
  return {
    next() {
      const now = pause
      pause = Math.min(longest, pause * 2 || first)
      return random ? now * (0.5 + Math.random() / 2) : now
    },
    reset() {
      pause = atOnce ? 0 : first
    },
  }
}
