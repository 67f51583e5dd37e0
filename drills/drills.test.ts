// These are the short forms of the drills. `npm run drill -- --help` lists the long ones.

import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { copyMigrated } from '../testing/service/postgres.ts'
import { runDrill } from './drill.ts'
import { drills } from './drills.ts'

const short = [
  'kill-service',
  'webhook-kills',
  'kill-database',
  'partition',
  'pool-exhaustion',
  'long-histories',
  'noisy-neighbour',
  'files-in-bucket',
]
const ofOneKind = new Set([
  'kill-service',
  'webhook-kills',
  'kill-database',
  'pool-exhaustion',
  'noisy-neighbour',
  'disk-full',
])

test.concurrent.for([...short, 'upgrade', 'point-in-time', 'disk-full', 'files'])(
  '%s: nothing acknowledged is lost, duplicated or out of order, and nobody is refused for another',
  { timeout: 240_000 },
  async (name, context) => {
    const log: string[] = []
    const drill = drills.find((candidate) => candidate.name === name)!
    // What has one kind of fault causes it once or twice.
    const seconds = ofOneKind.has(name) ? 2 : 4
    const options = {
      seed: 7,
      seconds,
      rate: 20,
      patience: 10,
      prepare: copyMigrated,
      ...(name === 'point-in-time' && { messages: 10_000 }),
      log: (text: string) => log.push(text),
    }
    const { code, line } = await runDrill(drill, options)
    // A drill may need a repository, PostgreSQL or the right to mount a file system; the line says what is missing.
    if (!short.includes(name)) context.skip(line.includes('NOT RUN'), line)
    expect(code, [line, ...log].join('\n')).toBe(0)
    expect(line).toContain('PASS')
  },
)

test(
  'failover: the primary is killed once, and nothing acknowledged is lost',
  { timeout: 300_000 },
  async (context) => {
    const log: string[] = []
    const drill = drills.find(({ name }) => name === 'failover')!
    // One fault takes longer than that.
    const options = { seed: 7, seconds: 5, rate: 20, patience: 5, log: (line: string) => log.push(line) }
    const { code, line } = await runDrill(drill, options)
    context.skip(line.includes('NOT RUN'), line)
    expect(code, [line, ...log].join('\n')).toBe(0)
    expect(line).toContain('killed: ')
  },
)

test('a drill that does not exist ends with 3, and help lists those that do', async () => {
  const main = path.join(import.meta.dirname, 'main.ts')
  const run = (...args: string[]) =>
    new Promise<{ code: unknown; output: string }>((resolve) => {
      execFile(process.execPath, [main, ...args], (error, stdout, stderr) =>
        resolve({ code: error?.code ?? 0, output: stdout + stderr }),
      )
    })
  const [nonsense, { code, output }] = await Promise.all([run('nonsense'), run('--help')])
  expect([nonsense.code, code]).toEqual([3, 0])
  for (const { name } of drills) expect(output).toContain(name)
})

test('chance comes from the seed', () => {
  const files = [
    'random.ts',
    'run.ts',
    'services.ts',
    'wallets.ts',
    'load/writers.ts',
    'load/poller.ts',
    'load/listener.ts',
    'load/attempts.ts',
    'load/load.ts',
    'load/uploaders.ts',
    'load/requests.ts',
    'proxy.ts',
  ]
  for (const file of files)
    expect(readFileSync(path.join(import.meta.dirname, file), 'utf8')).not.toMatch(/Math\.random|randomBytes/)
})
