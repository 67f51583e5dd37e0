// These are medians over the rounds of a case, with minimum and maximum. Ratios are made within each round, where both sides had
// the same machine.

import type { Result, Round } from '../measure.ts'

export interface Spread {
  median: number
  min: number
  max: number
}

/** Returns the median, minimum and maximum of the finite values; all NaN when there are none. */
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
  p95: Spread
  p99: Spread
  /** The rate per second of the case's own baseline. */
  baseline: Spread
  ofBaseline: Spread
  bareInsert: Spread
  emptyRoute: Spread
  ofEmptyRoute: Spread
}

/** Returns how fast a case is, and how near to its baselines. */
export function figuresOf(result: Result): Figures {
  const rate = ({ sample }: Round) => sample.perSecond
  const first = Object.keys(result.rounds[0]?.baselines ?? {})[0] ?? ''
  const baseline = ({ baselines }: Round) => baselines[first]?.perSecond ?? Number.NaN
  const empty = (round: Round) => round.empty?.perSecond ?? Number.NaN
  return {
    perSecond: overRounds(result, rate),
    p50: overRounds(result, ({ sample }) => sample.latency.p50),
    p95: overRounds(result, ({ sample }) => sample.latency.p95),
    p99: overRounds(result, ({ sample }) => sample.latency.p99),
    baseline: overRounds(result, baseline),
    ofBaseline: overRounds(result, (round) => rate(round) / baseline(round)),
    bareInsert: overRounds(result, ({ baselines }) => baselines['bare insert']?.perSecond ?? Number.NaN),
    emptyRoute: overRounds(result, empty),
    ofEmptyRoute: overRounds(result, (round) => rate(round) / empty(round)),
  }
}

/** Returns the ratio to another result, round by round. */
export const ratioTo = (result: Result, other: Result, value: (round: Round) => number): Spread =>
  spread(result.rounds.map((round, i) => value(round) / value(other.rounds[i]!)))
