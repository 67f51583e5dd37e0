/** Chooses how many bytes are transferred at once, by how long the last ones took. */
export interface Pace {
  /** This number of bytes is next. */
  readonly bytes: number
  /** Says how many milliseconds the last ones took. */
  took: (bytes: number, milliseconds: number) => void
}

/** What takes less than this is doubled, and what takes more than that is halved, both in milliseconds. */
const [short, long] = [1000, 4000]

const kibibyte = 1024
export const leastAtOnce = 64 * kibibyte
export const firstAtOnce = 256 * kibibyte

/** Returns a pace that begins at 256 KiB and stays between two numbers of bytes. */
export function paceBetween(least: number, most: number): Pace {
  const bounded = (bytes: number) => Math.min(most, Math.max(least, bytes))
  let next = bounded(firstAtOnce)
  return {
    get bytes() {
      return next
    },
    took(bytes, milliseconds) {
      // What was shorter because the file ended says nothing about more.
      if (milliseconds < short && bytes >= next) next = bounded(next * 2)
      else if (milliseconds > long) next = bounded(next / 2)
    },
  }
}
