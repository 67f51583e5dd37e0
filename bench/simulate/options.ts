import { parseArgs } from 'node:util'
import type { SimulationOptions } from './simulate.ts'

const number = (least: number, most: number) => (value: number) => value >= least && value <= most
const whole = (least: number, most: number) => (value: number) =>
  Number.isInteger(value) && number(least, most)(value)

/** The table has every option: its default, what it means, and whether a value is right. */
const table = {
  wallets: ['1e6', 'wallets that are active on a day, for which machines are reckoned', whole(1, 1e10)],
  days: ['1', 'days of messages that the sample has behind it when measuring begins', number(0.01, 1000)],
  minutes: ['2', 'how long is measured; writing the history comes before', number(0.05, 600)],
  sample: ['1000', 'wallets that really write, and stand for all', whole(2, 100_000)],
  seed: ['1', 'the same seed makes the same wallets, acquaintances and actions', whole(0, 2 ** 31)],
  alpha: [
    '1.16',
    'exponent of the Pareto law of activity: the lower, the more is done by the few',
    number(0.1, 10),
  ],
  spread: ['1000', 'times as much as the least active wallet the most active one does', number(1.01, 1e6)],
  acquaintances: ['20', 'conversations of a wallet, on average', number(1, 1000)],
  messages: ['40', 'messages that a wallet sends in a day', number(0.1, 10_000)],
  starts: ['20', 'starts of the app in a day: the inbox and the unread count', number(0, 10_000)],
  openings: ['60', 'openings of a conversation in a day', number(0, 10_000)],
  marks: ['30', 'times that a wallet marks what it has read, in a day', number(0, 10_000)],
  page: ['50', 'messages that an opening reads', whole(1, 500)],
  'busiest-hour': ['0.125', "the busiest hour's part of the day", number(0.01, 1)],
  peak: ['2', 'the peak, as a multiple of the mean of the busiest hour', number(1, 100)],
  streams: ['0.2', 'part of the active wallets with an open event stream at the peak', number(0, 1)],
  'streams-of-process': ['10000', 'event streams that one process of the service shall hold', whole(1, 1e6)],
  instances: ['0', 'processes of the service; 0 as it comes, for half of the cores', whole(0, 64)],
  load: ['0.6', 'part of a core that is to be in use at the peak', number(0.05, 1)],
  from: ['200', 'actions a second of the first step', number(1, 1e6)],
  factor: ['1.5', 'each step is so many times the one before', number(1.05, 10)],
  wait: ['1000', 'a longer 99th percentile of waits, in ms, is too much', number(1, 60_000)],
} satisfies Record<string, [fallback: string, about: string, isRight: (value: number) => boolean]>

type Name = keyof typeof table
const names = Object.keys(table) as Name[]

const help = `Usage: npm run simulate [-- --wallets 1e6 --days 1 --minutes 2 …]

Plays a population of wallets, of which few write much and many little, against the service on an embedded PostgreSQL (or on a
database of its own on the server of DATABASE_URL). It raises the rate until something is full, says what that is, and
reckons which machines a population of that size needs. The service runs with RATE_LIMITS=off, since all
wallets come from one network address; acquaintances are made by writing and answering.

${names.map((name) => `  --${name.padEnd(20)}${table[name][1]} (${table[name][0]})`).join('\n')}
  --${'json <file>'.padEnd(20)}where the figures go (bench/results/simulate-<time>.json)`

export interface Choice extends Omit<SimulationOptions, 'onStatus' | 'databaseUrl'> {
  json: string | undefined
}

/** Reads the command line; throws what is wrong with it. `'help'` requests the help. */
export function readChoice(args: string[]): Choice | 'help' {
  if (args.includes('--help')) return 'help'
  const known = [...names, 'json'].map((name) => [name, { type: 'string' }] as const)
  const values = parseArgs({ args, options: Object.fromEntries(known) }).values as Record<string, string>
  const of = Object.fromEntries(
    names.map((name) => {
      const [fallback, about, isRight] = table[name]
      const value = Number(values[name] ?? fallback)
      if (!isRight(value)) throw new Error(`--${name}: ${about}; not ${values[name]}.`)
      return [name, value]
    }),
  ) as Record<Name, number>
  const { wallets, days, minutes, alpha, spread, acquaintances, seed, load, from, factor, wait } = of
  const { messages, starts, openings, marks, page, peak, streams } = of
  return {
    wallets,
    days,
    minutes,
    law: { alpha, spread, acquaintances, sample: Math.min(of.sample, Math.max(2, wallets)), seed },
    habits: { messages, starts, openings, marks, page, peak, streams, busiestHour: of['busiest-hour'] },
    instances: of.instances || 'auto',
    room: { load, streamsOfProcess: of['streams-of-process'] },
    steps: { from, factor, wait },
    json: values['json'],
  }
}

export { help }
