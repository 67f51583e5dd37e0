/** Gives the pauses between retries, in milliseconds: after each failure in a row the pause doubles. */
export interface Backoff {
  next: () => number
  /** This is called after a success: the next pause is the first one again. */
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

/** Creates a backoff: `{ first: 100, longest: 5000 }` gives 100, 200, 400 … 3200, 5000, 5000 … */
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
