import { parseArgs } from 'node:util'
import { type Drill, runDrill } from './drill.ts'
import { drills } from './drills.ts'

const usage = `Faults on purpose, and a ledger outside of the service that says what it owes.

Usage: npm run drill -- <name> [--seed N] [--seconds N] [--rate N] [--patience N]

  --seed      what is left to chance follows from it (chosen and printed when left out)
  --seconds   how long faults are played
  --rate      messages a second, at most (800)
  --patience  multiplies the limits of time, for a machine that has other things to do (1)

${drills.map(({ name, what, seconds }) => `  ${name.padEnd(16)} ${what} (${seconds} s)`).join('\n')}

Ends with 0 when all held, 2 when a promise was broken, 3 when the drill itself failed or cannot be played here.`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    seconds: { type: 'string' },
    rate: { type: 'string' },
    patience: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
})

const drill = drills.find(({ name }) => name === positionals[0])
if (values.help) console.log(usage)
else if (drill) process.exitCode = await play(drill)
else {
  console.error(usage)
  process.exitCode = 3
}

async function play(chosen: Drill): Promise<number> {
  const number = (value: string | undefined, fallback: number) => {
    const given = Number(value ?? fallback)
    if (!(given > 0)) throw new Error(`${value} is not a number above 0`)
    return given
  }
  const seed = number(values.seed, 1 + Math.floor(Math.random() * 1e6))
  console.log(`${chosen.name}: ${chosen.what}; seed ${seed}`)
  const { code, line } = await runDrill(chosen, {
    seed,
    seconds: number(values.seconds, chosen.seconds),
    rate: number(values.rate, 800),
    patience: number(values.patience, 1),
    log: (text) => console.log(text),
  })
  console.log(line)
  return code
}
