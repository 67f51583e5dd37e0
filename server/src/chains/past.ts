// Says at which moments of the past a wallet must have held a token: at the first of the time that a rule names, and at one of
// each quarter of it. The service's secret chooses these, so nobody knows before when it is enough to borrow a token, and all
// instances choose the same. The time begins at whole twenty-fourths of it, so what is read of the past counts for a while.

import { mac } from '../lib/mac.ts'
import { hour } from '../lib/times.ts'

export interface Past {
  hours: number
  since: number
}

const parts = 24
const quarters = [0, 1, 2, 3]

/** Returns since when a wallet must have held a token at a time in milliseconds: up to a twenty-fourth longer than the hours. */
export function sinceOf(hours: number, now: number): number {
  const part = (hours * hour) / parts
  return Math.floor(now / part) * part - hours * hour
}

export function momentsOf(secret: string, { hours, since }: Past): number[] {
  const random = mac(secret, 'moments of a gate', `${hours} ${since}`)
  const quarter = (hours * hour) / quarters.length
  return [since, ...quarters.map((n) => since + (n + random.readUInt32BE(n * 4) / 2 ** 32) * quarter)].map(
    Math.floor,
  )
}
