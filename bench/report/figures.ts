// Medians over the rounds of a case, with the least and the most. Ratios are made within each round, where the machine
// was the same for both sides.

import type { Result, Round } from '../measure.ts'

export interface Spread {
  median: number
  min: number
  max: number
}

/** The median, least and most of the values that there are; all NaN when there are none. */
export function spread(values: number[]): Spread {
  const sorted = values.filter(Number.isFinite).toSorted((a, b) => a - b)
  const at = (place: number) => sorted[place] ?? Number.NaN
  const middle = (sorted.length - 1) / 2
  return {
    median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
    min: at(0),
    max: at(sorted.length - 1),
  }
}

export const overRounds = ({ rounds }: Result, value: (round: Round) => number): Spread =>
  spread(rounds.map(value))

export interface Figures {
  perSecond: Spread
  p50: Spread
  p99: Spread
  /** Per second, of the case's own floor. */
  floor: Spread
  ofFloor: Spread
  bareInsert: Spread
  emptyRoute: Spread
  ofEmptyRoute: Spread
}

/** How fast a case is, and how near to its floors. */
export function figuresOf(result: Result): Figures {
  const rate = ({ sample }: Round) => sample.perSecond
  const first = Object.keys(result.rounds[0]?.floors ?? {})[0] ?? ''
  const floor = ({ floors }: Round) => floors[first]?.perSecond ?? Number.NaN
  const empty = (round: Round) => round.empty?.perSecond ?? Number.NaN
  return {
    perSecond: overRounds(result, rate),
    p50: overRounds(result, ({ sample }) => sample.latency.p50),
    p99: overRounds(result, ({ sample }) => sample.latency.p99),
    floor: overRounds(result, floor),
    ofFloor: overRounds(result, (round) => rate(round) / floor(round)),
    bareInsert: overRounds(result, ({ floors }) => floors['bare insert']?.perSecond ?? Number.NaN),
    emptyRoute: overRounds(result, empty),
    ofEmptyRoute: overRounds(result, (round) => rate(round) / empty(round)),
  }
}

/** Against another result, round by round. */
export const ratioTo = (result: Result, other: Result, value: (round: Round) => number): Spread =>
  spread(result.rounds.map((round, i) => value(round) / value(other.rounds[i]!)))
