import { parseArgs } from 'node:util'
import { type Drill, runDrill } from './drill.ts'
import { drills } from './drills.ts'

const usage = `Causes a fault under load, and checks that the service kept every message it acknowledged. What it acknowledged is
written down in a ledger outside of the service.

Usage: npm run drill -- <name> [--seed N] [--seconds N] [--rate N] [--patience N] [--messages N]

  --seed      all random choices follow from it (chosen and printed when left out)
  --seconds   how long faults are caused
  --rate      messages a second, at most (800)
  --patience  multiplies the time limits, for a machine with other work to do (1)
  --messages  direct messages that are stored before, from 10,000 on; only point-in-time (none)

${drills.map(({ name, summary, seconds }) => `  ${name.padEnd(16)} ${summary} (${seconds} s)`).join('\n')}

Exit code: 0 when everything was kept, 2 after a violation, 3 when the drill itself failed or cannot run here.`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    seconds: { type: 'string' },
    rate: { type: 'string' },
    patience: { type: 'string' },
    messages: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
})

const drill = drills.find(({ name }) => name === positionals[0])
if (values.help) console.log(usage)
else if (drill) process.exitCode = await runChosen(drill)
else {
  console.error(usage)
  process.exitCode = 3
}

async function runChosen(chosen: Drill): Promise<number> {
  const number = (value: string | undefined, fallback: number) => {
    const given = Number(value ?? fallback)
    if (!(given > 0)) throw new Error(`${value} is not a number above 0`)
    return given
  }
  const seed = number(values.seed, 1 + Math.floor(Math.random() * 1e6))
  console.log(`${chosen.name}: ${chosen.summary}; seed ${seed}`)
  const { code, line } = await runDrill(chosen, {
    seed,
    seconds: number(values.seconds, chosen.seconds),
    rate: number(values.rate, 800),
    patience: number(values.patience, 1),
    ...(values.messages !== undefined && { messages: number(values.messages, 0) }),
    log: (text) => console.log(text),
  })
  console.log(line)
  return code
}
