// These are the figures as tables in Markdown, aligned, so that they are easy to read in a terminal and in the docs.

import { figuresOf, overRounds, ratioTo, type Spread } from './figures.ts'
import type { Result, Round } from '../measure.ts'
import { number, table } from './table.ts'

const range = ({ median, min, max }: Spread, digits?: number) =>
  Number.isFinite(median) ? `${number(median, digits)} (${number(min, digits)}–${number(max, digits)})` : '–'
const ratio = (value: Spread) => range(value, 2)

const several = (results: Result[]) => new Set(results.map(({ service }) => service)).size > 1
const nameOf = (result: Result, all: Result[]) =>
  several(all) ? `${result.case} · ${result.service}` : result.case
const measured = (results: Result[]) => results.filter(({ rounds }) => rounds[0] && !rounds[0].sample.skipped)

/** Shows how fast each case is, and how near to what the machine can do. */
export const speedTable = (results: Result[]): string =>
  table(
    ['case', 'per second', 'p50 ms', 'p95 ms', 'p99 ms'].concat(
      ['baseline/s', 'of baseline', 'bare/s'],
      ['empty/s', 'of empty'],
    ),
    measured(results).map((result) => {
      const { perSecond, p50, p95, p99, baseline, ofBaseline, bareInsert, emptyRoute, ofEmptyRoute } =
        figuresOf(result)
      const [baselineRate, bare, empty] = [baseline, bareInsert, emptyRoute].map(({ median }) =>
        number(median),
      )
      const name = nameOf(result, results)
      const speed = [name, range(perSecond), range(p50), range(p95), range(p99)]
      return speed.concat(baselineRate!, ratio(ofBaseline), bare!, empty!, number(ofEmptyRoute.median, 2))
    }),
  )

/** Shows each kind of request by itself, where a case mixes kinds or some were refused. */
export const kindsTable = (results: Result[]): string =>
  table(
    ['case: kind', 'per second', 'p50 ms', 'p99 ms', 'max ms'],
    measured(results).flatMap((result) => {
      const kinds = [...new Set(result.rounds.flatMap(({ sample }) => Object.keys(sample.kinds)))]
      return kinds.map((kind) => {
        const of = (value: (round: Round['sample']['kinds'][string], seconds: number) => number) =>
          range(
            overRounds(result, ({ sample: { kinds: all, seconds } }) =>
              all[kind] ? value(all[kind], seconds) : Number.NaN,
            ),
          )
        const rate = of(({ count }, seconds) => count / seconds)
        const times = (['p50', 'p99', 'max'] as const).map((which) => of((latency) => latency[which]))
        return [`${nameOf(result, results)}: ${kind}`, rate].concat(times)
      })
    }),
  )

/** Shows the figures that only one case measures, and its rate as a part of each further baseline. */
export const extraTable = (results: Result[]): string =>
  table(
    ['case', 'figure', 'value'],
    measured(results).flatMap((result) => {
      const names = Object.keys(result.rounds[0]!.sample.extra ?? {})
      const of = (name: string) => overRounds(result, ({ sample }) => sample.extra?.[name] ?? Number.NaN)
      const figures = names.map((name) => [nameOf(result, results), name, range(of(name))])
      const further = Object.keys(result.rounds[0]!.baselines).filter(
        (name, i) => i > 0 && name !== 'bare insert',
      )
      const parts = further.map((name) => [
        nameOf(result, results),
        `of ${name}`,
        ratio(overRounds(result, (round) => round.sample.perSecond / round.baselines[name]!.perSecond)),
      ])
      return figures.concat(parts)
    }),
  )

/** Shows what each case uses: cores while it runs, memory at the most, the event loop at the worst. */
export const costTable = (results: Result[]): string =>
  table(
    ['case', 'service CPU', 'PostgreSQL CPU', 'generator CPU', 'others CPU'].concat([
      'service MB',
      'growth MB',
      'PostgreSQL MB',
      'generator MB',
      'loop ms',
      'busy ms',
    ]),
    measured(results).map((result) => {
      const cores = (['service', 'postgres', 'generator'] as const).map((who) =>
        number(overRounds(result, ({ cost }) => cost.cpu[who] / cost.seconds).median, 2),
      )
      const others = range(
        overRounds(result, ({ cost }) => cost.cpu.others / cost.seconds),
        2,
      )
      const memory = (['service', 'serviceGrowth', 'postgres', 'generator'] as const).map((who) =>
        number(overRounds(result, ({ cost }) => cost.memory[who]).max, 0),
      )
      const loop = (['delay', 'busy'] as const).map((what) =>
        number(overRounds(result, ({ cost }) => cost.loop[what]).max, 0),
      )
      return [nameOf(result, results)].concat(cores, others, memory, loop)
    }),
  )

/** Compares each build or history with the first one. */
export const comparisonTable = (results: Result[]): string =>
  table(
    ['ratio', 'per second', 'p50', 'p99', 'service CPU each', 'PostgreSQL CPU each'],
    measured(results).flatMap((result) => {
      const first = results.find((other) => other.case === result.case)!
      if (first === result) return []
      const values: ((round: Round) => number)[] = [
        ({ sample }) => sample.perSecond,
        ({ sample }) => sample.latency.p50,
        ({ sample }) => sample.latency.p99,
        ({ sample, cost }) => cost.cpu.service / sample.latency.count,
        ({ sample, cost }) => cost.cpu.postgres / sample.latency.count,
      ]
      const name = `${result.case}: ${result.service} / ${first.service}`
      return [[name].concat(values.map((value) => ratio(ratioTo(result, first, value))))]
    }),
  )

/** Lists what did not go as it should: unexpected statuses, runs in which nothing succeeded, cases that could not run. */
export const remarks = (results: Result[]): string[] =>
  results.flatMap(({ case: name, service, rounds }) =>
    rounds.flatMap(({ sample: { skipped, failed, latency } }, i) => {
      const run = `${name} on ${service}, run ${i + 1}`
      if (skipped) return [`${name} on ${service} was skipped: ${skipped}.`]
      const failures = Object.entries(failed).map(([what, count]) => `${run}: ${count} × ${what}`)
      // Such a run has no latency, so the medians are only those of the other runs.
      return latency.count === 0 ? [`${run}: nothing succeeded`, ...failures] : failures
    }),
  )
