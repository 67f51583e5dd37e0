/** Returns pseudo-random whole numbers below a limit. */
export type Random = (limit: number) => number

/** Computes the numbers from a list of numbers (FNV-1a, then splitmix32). */
export function randomFrom(numbers: number[]): Random {
  let state = 2_166_136_261
  for (const number of numbers) state = Math.imul(state ^ number, 16_777_619)
  return (limit) => {
    state = (state + 0x9e3779b9) | 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) % limit
  }
}
