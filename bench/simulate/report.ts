// This writes the findings of a simulation as text.

import { number, table } from '../report/table.ts'
import { actionsOf, perDay } from './habits.ts'
import { populationOf, shareOf } from './population.ts'
import { costAlone, type Needs, peakOf, reckon, reckonedEarlier } from './reckoning.ts'
import { fullness } from './saturation.ts'
import type { Simulation, SimulationOptions } from './simulate.ts'

const count = (value: number) => Math.round(value).toLocaleString('en')
const percent = (share: number) => (Number.isFinite(share) ? `${Math.round(share * 100)} %` : '–')

/** Returns bytes as people read them, in powers of ten. */
function bytes(value: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB']
  const power = value < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(value) / 3))
  const shown = value / 1000 ** power
  return `${number(shown, shown < 10 && power > 0 ? 1 : 0)} ${units[power]}`
}

/** Lists everything that the figures rest on. */
export function assumptions(
  { wallets, days, law, habits, room }: SimulationOptions,
  { streams, bounds }: Simulation,
) {
  const population = populationOf(law)
  const [few, fifth] = [0.01, 0.2].map((share) => percent(shareOf(population, share)))
  const { messages, starts, openings, marks, page } = habits
  return [
    `${count(wallets)} wallets are active on a day. ${count(law.sample)} wallets stand for them, with ${days} days of messages behind them (seed ${law.seed}).`,
    `Activity follows a Pareto law with exponent ${law.alpha}, bounded at ${count(law.spread)} times the least: the most active 1 % do ${few} of everything, the most active 20 % do ${fifth}.`,
    `A wallet has ${number(law.acquaintances, 0)} conversations on average, more with the root of its activity, and turns to the n-th about 1/n times as often as to the first (Zipf).`,
    `A wallet and day: ${messages} messages of 16 to 215 characters, ${starts} starts of the app (inbox and unread count), ${openings} openings of a conversation (${page} messages), ${marks} marks of what was read. No group chats, pictures, comments, sign-ins or mails.`,
    `The busiest hour has ${number(habits.busiestHour * 100, 1)} % of a day, and its peak is ${habits.peak} times its mean: ${number(peakOf(habits) * 1e6, 1)} µs of each second for each second of work a day.`,
    `${percent(habits.streams)} of the active wallets have an event stream open (${count(streams)} of the sample); a process of the service holds ${count(room.streamsOfProcess)}.`,
    `Cores are reckoned at ${percent(room.load)} load at the peak. All grows in proportion: caches that are too small and longer indexes are not reckoned, nor standbys.`,
    `The service runs ${bounds.processes === 1 ? 'one process' : `${bounds.processes} processes`}, with RATE_LIMITS=off, since all wallets come from one network address. Simulator, service and PostgreSQL share this machine.`,
  ]
}

/** Shows the cost of each action when nothing else is done. */
export const aloneTable = ({ alone }: Simulation) =>
  table(
    ['alone', 'PostgreSQL µs', 'service µs', 'WAL', 'p50 ms', 'p99 ms'],
    alone.map(({ action, postgres, service, wal, waits }) => [
      action,
      number(postgres, 0),
      number(service, 0),
      bytes(wal),
      number(waits.p50, 1),
      number(waits.p99, 1),
    ]),
  )

/** Shows the steps, and how full each part was. */
export function stepsTable({ steps, bounds }: Simulation) {
  const parts = steps[0] ? fullness(steps[0].use, bounds).map(([part]) => part) : []
  return table(
    ['actions/s', 'in time/s', 'p50 ms', 'p99 ms', 'refused', 'to streams/s', ...parts],
    steps.map(({ use, played, received }) => [
      count(use.wanted),
      count(use.done),
      number(played.all.p50, 1),
      number(use.p99, 1),
      percent(use.refused + use.failed),
      number(received / played.seconds, 0),
      ...fullness(use, bounds).map(([, full]) => percent(full)),
    ]),
  )
}

/** Shows waits by kind of request, in the highest step that was not too much. */
export function waitsTable({ steps }: Simulation) {
  const step = steps.findLast(({ tooMuch }) => !tooMuch) ?? steps[0]
  return table(
    [`waits at ${count(step?.use.wanted ?? 0)} actions/s`, 'p50 ms', 'p99 ms', 'max ms'],
    Object.entries(step?.played.kinds ?? {}).map(([kind, { p50, p99, max }]) => [
      kind,
      number(p50, 1),
      number(p99, 1),
      number(max, 1),
    ]),
  )
}

/** Says which part was full first, and what a wallet costs. */
export function findings(simulation: Simulation, { habits }: SimulationOptions): string[] {
  const { full, steps, bounds, cost, alone, history } = simulation
  const last = steps.at(-1)!
  const others = Math.max(...steps.map(({ use }) => use.cores.others)) / bounds.cores
  const rate = `${count(last.use.wanted)} actions a second (${count((last.use.wanted * perDay(habits).send) / actionsOf(habits))} messages)`
  const ms = (seconds: number) => `${number(seconds * 1000, 0)} ms`
  return [
    full ? `Full first, at ${rate}: ${full}.` : `Nothing was full up to ${rate}: the time was over.`,
    `A wallet costs in a day ${ms(cost.postgres)} of PostgreSQL and ${ms(cost.service)} of the service, by the highest step that was not too much; by each action alone it would be ${ms(costAlone(alone, habits, 'postgres'))} and ${ms(costAlone(alone, habits, 'service'))}.`,
    `A message takes ${bytes(cost.diskOfMessage)} on disk (table and indexes after ${count(history.messages)} messages, before marks, which write a row again and leave its old version to vacuum), and ${bytes(cost.wal / habits.messages)} of WAL with all that is done beside it.`,
    ...(others > 0.1
      ? [
          `! Other programs used up to ${percent(others)} of the machine: it is full too early, and CPU costs more. Repeat it on a quiet one.`,
        ]
      : []),
  ]
}

/** Shows what is needed for the requested population and for others, beside the earlier estimate. */
export function needsTable({ cost }: Simulation, { wallets, habits, room }: SimulationOptions) {
  const earlier = new Map(reckonedEarlier.map(([size, ...rest]) => [size, rest]))
  const sizes = [...new Set([wallets, ...earlier.keys()])].toSorted((a, b) => a - b)
  return table(
    [
      'active wallets',
      'sends/s at peak',
      'PostgreSQL cores',
      'earlier',
      'service cores',
      'earlier',
      'disk a year',
      'earlier',
      'WAL a day',
      'streams',
      'processes',
    ],
    sizes.map((size) => rowOf(reckon(size, habits, cost, room), earlier.get(size))),
  )
}

function rowOf(needs: Needs, [postgres, service, disk]: [number, number, number] | [] = []) {
  const cores = (value?: number) => (value === undefined ? '–' : number(value, value < 10 ? 1 : 0))
  return [
    count(needs.wallets),
    number(needs.sendsAtPeak, needs.sendsAtPeak < 10 ? 1 : 0),
    cores(needs.postgresCores),
    cores(postgres),
    cores(needs.serviceCores),
    cores(service),
    bytes(needs.diskOfYear),
    disk === undefined ? '–' : bytes(disk),
    bytes(needs.walOfDay),
    count(needs.streams),
    count(needs.processes),
  ]
}
