import type { Answer } from '../../testing/callers.ts'
import { memory } from '../../testing/processes.ts'
import type { Drill } from '../drill.ts'
import { quantile } from '../drill.ts'
import { noises, type Noise } from '../people/noises.ts'
import { openWallet } from '../people/open.ts'
import { type Figures, startNeighbours } from '../people/neighbours.ts'
import type { Run } from '../run.ts'

/** Milliseconds in which 99 of 100 answers to others must be there. */
const slowest = 250
/** MiB. */
const mostMemory = 512

/** One wallet does all that its limits allow, and nobody else notices. */
export const noisyNeighbour: Drill = {
  name: 'noisy-neighbour',
  summary: `a wallet does what costs most, within its limits; the messages and small reads of ten others succeed, 99 % within ${slowest} ms`,
  seconds: 60,
  async perform(run) {
    const service = await run.startService({ RATE_LIMITS: 'on' })
    const people = Array.from({ length: 10 }, (_, i) => openWallet(run, `neighbour ${i}`, '127.0.0.2'))
    const neighbours = startNeighbours(await Promise.all(people))
    const each = (run.seconds * 1000) / (noises.length + 1)
    await run.pause(1000)
    neighbours.figures()
    await run.pause(each)
    judge(run, 'nobody else', neighbours.figures(), memory(service.pid))
    for (const noise of noises) {
      const { figures, most, made } = await suffer(run, noise, each, neighbours.figures)
      judge(run, noise.name, figures, most, made)
    }
    await neighbours.stop()
    if (service.hasCrashed) run.report({ kind: 'broken', detail: 'the service ended by itself' })
  },
}

/** Lets a wallet of its own make a noise for so many milliseconds. */
async function suffer(run: Run, noise: Noise, milliseconds: number, figuresOf: () => Figures) {
  const { pid } = run.services[0]!
  const another = (name: string) => openWallet(run, `${noise.name} ${name}`, '127.0.0.1')
  const caller = await another('')
  const stored = await noise.prepare(caller, Math.ceil(Math.min(400, run.seconds * 10)))
  const answers = new Map<number, number>()
  const count = ({ status }: Answer) => answers.set(status, (answers.get(status) ?? 0) + 1)
  figuresOf()
  let most = 0
  const watching = setInterval(() => (most = Math.max(most, memory(pid) || 0)), 50)
  const end = performance.now() + milliseconds
  await noise.work(caller, { isOver: () => performance.now() > end, count, another })
  clearInterval(watching)
  const made = [...answers].map(([status, times]) => `${times} × ${status || 'no answer'}`)
  return { figures: figuresOf(), most, made: `${stored}; answers to it: ${made.join(', ') || 'none'}` }
}

function judge(run: Run, noise: string, { took, failed }: Figures, most: number, made = ''): void {
  const p99 = quantile(took, 0.99)
  const [p50, max] = [quantile(took, 0.5), Math.max(...took)]
  const refused = [...failed].map(([status, times]) => `${times} × ${status || 'no answer'}`).join(', ')
  const said = `${noise}: p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)}, max ${max.toFixed(0)} of ${took.length} answers, ${refused || 'none refused'}, ${most.toFixed(0)} MiB`
  run.log(`${said}${made && ` (${made})`}`)
  run.note(said)
  if (failed.size > 0)
    run.report({ kind: 'refused', detail: `others were answered ${refused} during ${noise}` })
  if (!(p99 < slowest * run.patience))
    run.report({ kind: 'slow', detail: `others waited ${p99.toFixed(0)} ms (p99) during ${noise}` })
  if (most > mostMemory)
    run.report({ kind: 'broken', detail: `the service had ${most.toFixed(0)} MiB during ${noise}` })
}
