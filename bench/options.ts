import { parseArgs } from 'node:util'
import type { Case } from './cases/case.ts'
import { cases } from './cases/index.ts'

/** Every slice is compared with this commit, so that small losses do not add up. */
const reference = '7886101'

const ofRatchet = new Set(['send-32', 'conversation', 'poll', 'inbox-20', 'unread-total', 'mixed'])

const groups: Record<string, (one: Case) => boolean> = {
  all: () => true,
  ratchet: ({ name }) => ofRatchet.has(name),
  growth: ({ grows }) => grows === true,
  sends: ({ name }) => /^(send|post)\b/.test(name),
  inbox: ({ name }) => name.startsWith('inbox-'),
  unread: ({ name }) => name.startsWith('unread-'),
}

const help = `Usage: npm run bench [-- <case>… --size 100k,1m,10m --compare <git-ref> …]

Starts the service on an embedded PostgreSQL with a seeded history (or on a database of its own on the server
of DATABASE_URL), sends it requests, and prints its speed beside baselines of this machine.

  --size <sizes>     messages in the history, several with commas between (100k); 10m takes minutes
  --compare [ref]    runs that git ref (${reference} when left out) and the working tree in turn, and prints ratios
  --instances <ns>   processes of the service (INSTANCES), several with commas between (1)
  --seconds <n>      how long a run is (2)
  --rounds <n>       how often each case runs (3)
  --profile          prints the functions in which the service spent its time, for each case
  --json <file>      where the figures go (bench/results/<time>.json)

Groups of cases: ${Object.keys(groups).join(', ')}

Cases, with how many connections:
${cases.map(({ name, connections, about }) => `  ${name.padEnd(18)} ${String(connections).padStart(6)}  ${about}`).join('\n')}`

/** Reads the command line; anything wrong ends the program with the form of a right value. */
export function readOptions(args: string[]) {
  const { values, positionals } = parse(args)
  if (values.help) {
    console.log(help)
    process.exit()
  }
  const wanted = positionals.length > 0 ? positionals : ['all']
  const matches = (asked: string) => (one: Case) => groups[asked]?.(one) ?? one.name === asked
  for (const asked of wanted) if (!cases.some(matches(asked))) fail(`There is no case ${asked}.`)
  return {
    cases: cases.filter((one) => wanted.some((asked) => matches(asked)(one))),
    sizes: values.size.split(',').map(sizeOf),
    seconds: positive('seconds', values.seconds),
    rounds: Math.ceil(positive('rounds', values.rounds)),
    compare: values.compare,
    instances: values.instances.split(',').map((text) => Math.ceil(positive('instances', text))),
    profile: values.profile,
    json: values.json,
  }
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args: args.flatMap((arg, i) => (arg === '--compare' && !isRef(args[i + 1]) ? [arg, reference] : [arg])),
      allowPositionals: true,
      options: {
        size: { type: 'string', default: '100k' },
        compare: { type: 'string' },
        instances: { type: 'string', default: '1' },
        seconds: { type: 'string', default: '2' },
        rounds: { type: 'string', default: '3' },
        profile: { type: 'boolean', default: false },
        json: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    })
  } catch (error) {
    return fail((error as Error).message)
  }
}

const isRef = (next: string | undefined): boolean =>
  next !== undefined && !next.startsWith('-') && !cases.some(({ name }) => name === next) && !(next in groups)

function sizeOf(text: string): number {
  const [, digits, unit = ''] = /^(\d+)([km]?)$/i.exec(text) ?? []
  const size = Number(digits) * (unit === '' ? 1 : unit.toLowerCase() === 'k' ? 1e3 : 1e6)
  return size >= 10_000 && size <= 1e9 ? size : fail('--size must be 10k or more, such as 100k or 1m,10m.')
}

const positive = (name: string, text: string) =>
  Number(text) > 0 ? Number(text) : fail(`--${name} must be a number above 0.`)

function fail(problem: string): never {
  console.error(`${problem} See npm run bench -- --help.`)
  process.exit(1)
}
