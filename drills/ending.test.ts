// A drill leaves nothing behind that runs: neither when it fails, nor when it is killed.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { newFolder } from '../testing/service/files.ts'
import { copyMigrated } from '../testing/service/postgres.ts'
import { processesIn } from '../testing/service/processes.ts'
import { runDrill } from './drill.ts'
import type { Run } from './run.ts'

test('a drill that fails under load ends its load and its services, and says what failed', async () => {
  let run: Run | undefined
  const failing = {
    name: 'failing',
    summary: '',
    seconds: 60,
    async perform(its: Run) {
      run = its
      await its.startService()
      await its.startLoad()
      await its.waitForRecovery(performance.now(), 60)
      throw new Error('the cause of the failure')
    },
  }
  const options = { seed: 1, seconds: 60, rate: 50, patience: 10, prepare: copyMigrated, log: () => {} }
  const { code, line } = await runDrill(failing, options)
  expect(line).toBe('failing --seed 1: THE DRILL FAILED, Error: the cause of the failure')
  expect(code).toBe(3)
  const { acknowledged, failures } = run!.figures()
  expect(acknowledged).toBeGreaterThan(0)
  expect(run!.violations).toEqual([])
  await sleep(500)
  expect(run!.figures()).toMatchObject({ acknowledged, failures })
})

test.for([
  ['kill-service', ['node', 'postgres']],
  ['failover', ['node', 'postgres', 'patroni', 'etcd', 'haproxy']],
] as const)(
  '%s: what it started ends when it is killed',
  { timeout: 120_000 },
  async ([name, expected], context) => {
    context.skip(process.platform !== 'linux', 'it needs /proc')
    await using folder = await newFolder('ended')
    // Its programs may run as another user.
    await chmod(folder.path, 0o755)
    const main = path.join(import.meta.dirname, 'main.ts')
    const drill = spawn(process.execPath, [main, name, '--seconds', '60', '--rate', '50'], {
      env: { ...process.env, TMPDIR: folder.path },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let said = ''
    let seen: string[] = []
    drill.stdout.on('data', (data: Buffer) => (said += data.toString()))
    const ended = once(drill, 'exit')
    try {
      while (drill.exitCode === null && !expected.every((program) => seen.includes(program))) {
        await sleep(100)
        seen = await programsIn(folder.path)
      }
    } finally {
      drill.kill('SIGKILL')
      await ended
    }
    context.skip(said.includes('NOT RUN'), said)
    expect(seen, said).toEqual(expect.arrayContaining([...expected]))
    await expect.poll(() => programsIn(folder.path), { timeout: 10_000 }).toEqual([])
  },
)

/** Returns the names of the programs that work in a folder. */
async function programsIn(folder: string): Promise<string[]> {
  const names = processesIn(folder).map(async (pid) => {
    const name = (await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')).trim()
    // Newer versions of Node add the name of the thread.
    return name.startsWith('node') ? 'node' : name
  })
  return Promise.all(names)
}
