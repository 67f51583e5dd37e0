import { callEach, mostMemory, p99 as slowestOf } from '../../testing/cases/noisy-caller.ts'
import { withoutCounting } from '../../testing/cases/without-counting.ts'
import type { Answer } from '../../testing/cases/callers.ts'
import { memory } from '../../testing/service/processes.ts'
import { startCommand } from '../../testing/service/service-process.ts'
import type { Drill } from '../drill.ts'
import { quantile } from '../drill.ts'
import { noises, type Noise } from '../people/noises.ts'
import { openWallet } from '../people/open.ts'
import { type Figures, type Neighbours, startNeighbours } from '../people/neighbours.ts'
import { digestOf } from '../random.ts'
import type { Run } from '../run.ts'

/** Milliseconds within which 99 of 100 responses to others must be there. */
const slowest = 250

/** One wallet does all that its limits allow, and nobody else notices. */
export const noisyNeighbour: Drill = {
  name: 'noisy-neighbour',
  summary: `a wallet does what costs most, within its limits, and calls every endpoint; the messages and small reads of ten others succeed, 99 % within ${slowest} ms`,
  seconds: 60,
  async perform(run) {
    const service = await run.startService({ RATE_LIMITS: 'on' }, { command: startCommand() })
    const people = Array.from({ length: 10 }, (_, i) => openWallet(run, `neighbour ${i}`, '127.0.0.2'))
    const neighbours = startNeighbours(await Promise.all(people))
    const each = (run.seconds * 1000) / (noises.length + 1)
    await run.pause(1000)
    neighbours.figures()
    const isOver = timeFor(each, neighbours)
    while (!isOver()) await run.pause(50)
    judge(run, 'nobody else', neighbours.figures(), memory(service.pid))
    for (const noise of noises) {
      const { figures, most, made } = await suffer(run, noise, each, neighbours)
      judge(run, noise.name, figures, most, made)
    }
    await neighbours.stop()
    if (service.hasCrashed) run.report({ kind: 'broken', detail: 'the service ended by itself' })
    // Beside other work it takes too long; server/test/heavy-calls.test.ts is a short one.
    if (run.seconds >= 10) await callEverything(run, (run.seconds * 1000) / 30)
  },
}

/** Calls each endpoint of the contract for some milliseconds, as a wallet that has the most of everything. */
async function callEverything(run: Run, milliseconds: number): Promise<void> {
  await run.services[0]!.end('SIGTERM')
  const service = await run.startService(withoutCounting, { command: startCommand() })
  // All services of a drill have the address of the first one.
  const publicUrl = run.services[0]!.url
  const place = { url: service.url, publicUrl, jwtSecret: run.jwtSecret, pid: service.pid }
  let slowestOfAll = 0
  const wallets = ['wallet', 'peer', 'one', 'two', 'three'].map(
    (name) => `0x${digestOf(run.seed, `heavy ${name}`).slice(0, 40)}`,
  )
  for await (const [name, { took, failed, most, answers, noLoad }] of callEach(
    place,
    await run.findDatabase(),
    wallets,
    milliseconds,
  )) {
    const wait = slowestOf(took)
    slowestOfAll = Math.max(slowestOfAll, wait || Infinity)
    run.log(
      `${name}: p99 ${wait.toFixed(0)} ms of ${took.length} answers, ${most.toFixed(0)} MiB (answers to it: ${JSON.stringify(answers)})`,
    )
    if (noLoad) run.report({ kind: 'broken', detail: `${name} made no load: ${noLoad}` })
    if (failed.length > 0)
      run.report({ kind: 'refused', detail: `others were answered ${failed[0]} during ${name}` })
    if (!(wait < slowest * run.patience))
      run.report({ kind: 'slow', detail: `others waited ${wait.toFixed(0)} ms (p99) during ${name}` })
    if (most > mostMemory)
      run.report({ kind: 'broken', detail: `the service had ${most.toFixed(0)} MiB during ${name}` })
  }
  run.note(`all endpoints: p99 at most ${slowestOfAll.toFixed(0)} ms`)
}

/** A noise lasts until others had this number of responses: a busy machine may send none in a quarter of a second. */
const fewest = 20

/** Returns what says that some milliseconds are over, in which others had enough responses to judge. */
function timeFor(milliseconds: number, others: Neighbours): () => boolean {
  const end = performance.now() + milliseconds
  return () => performance.now() > end && (others.answers() >= fewest || performance.now() > end + 30_000)
}

/** Lets a wallet of its own make a noise for some milliseconds. */
async function suffer(run: Run, noise: Noise, milliseconds: number, others: Neighbours) {
  const { pid } = run.services[0]!
  const another = (name: string) => openWallet(run, `${noise.name} ${name}`, '127.0.0.1')
  const caller = await another('')
  const stored = await noise.prepare(caller, Math.ceil(Math.min(400, run.seconds * 10)))
  const answers = new Map<number, number>()
  const count = ({ status }: Answer) => answers.set(status, (answers.get(status) ?? 0) + 1)
  others.figures()
  let most = 0
  const watching = setInterval(() => (most = Math.max(most, memory(pid) || 0)), 50)
  await noise.work(caller, { isOver: timeFor(milliseconds, others), count, another })
  clearInterval(watching)
  const made = [...answers].map(([status, times]) => `${times} × ${status || 'no answer'}`)
  return { figures: others.figures(), most, made: `${stored}; answers to it: ${made.join(', ') || 'none'}` }
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
