// Every random choice of a drill follows from its seed, so that a failing run can be repeated by one number.

import { createHash } from 'node:crypto'

export interface Random {
  /** Returns a number from 0 up to 1. */
  next(): number
  /** Returns a whole number from 0 up to `below`. */
  int(below: number): number
  between(least: number, most: number): number
  pick<T>(items: readonly T[]): T
  /** Returns another source, whose numbers depend only on its name and the seed. */
  fork(name: string): Random
}

/** This is Mulberry32: 32 bits of state are enough for choices that need no secrecy. */
export function createRandom(seed: number | string): Random {
  let state = createHash('sha256').update(String(seed)).digest().readUInt32LE()
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    next,
    int: (below) => Math.floor(next() * below),
    between: (least, most) => least + next() * (most - least),
    pick: (items) => items[Math.floor(next() * items.length)]!,
    fork: (name) => createRandom(`${seed} ${name}`),
  }
}

/** Returns bytes that follow from the seed and a name, as hexadecimal digits. */
export const digestOf = (seed: number, name: string) =>
  createHash('sha256').update(`parley drill ${seed} ${name}`).digest('hex')
