import { setTimeout as sleep } from 'node:timers/promises'
import { readPidFile } from '../../server/src/db/embedded/postmaster.ts'
import { startPostgresPair } from '../../testing/service/postgres.ts'
import type { ServiceProcess } from '../../testing/service/service-process.ts'
import { keyOf } from '../check/checker.ts'
import type { Drill } from '../drill.ts'
import type { Run } from '../run.ts'
import type { Wallets } from '../wallets.ts'

const metricsToken = 'a-token-for-the-metrics-of-a-drill'

/** Two services read from a standby that is late, stands still or dies, and one of them is killed meanwhile. */
export const laggingStandby: Drill = {
  name: 'lagging-standby',
  summary: 'two services read from a standby that is late, stands still or is killed; a service is killed',
  seconds: 120,
  async perform(run) {
    const pair = run.use(await startPostgresPair())
    const env = {
      DATABASE_URL: pair.primaryUrl,
      READ_DATABASE_URL: pair.standbyUrl,
      METRICS_TOKEN: metricsToken,
    }
    const services = [await run.startService(env), await run.startService(env)]
    const { wallets } = await run.startLoad()
    const readers = run.use(startReaders(run, wallets, services))
    const faults = {
      late: async () => {
        await pair.delay(run.random.between(50, 1_500))
        await run.pause(2_000, 5_000)
      },
      'standing still': async () => {
        await pair.pause()
        await run.pause(500, 6_000)
      },
      killed: async () => {
        // It starts again by itself.
        const postmaster = await readPidFile(pair.standbyFiles)
        if (postmaster) process.kill(postmaster.pid, 'SIGKILL')
        await run.pause(500, 2_000)
      },
      'late, and a service killed': async () => {
        await pair.delay(run.random.between(50, 1_500))
        const victim = run.random.pick(services)
        await victim.end('SIGKILL')
        await victim.start()
      },
    }
    while (run.hasTime())
      for (const cause of Object.values(faults)) {
        await run.pause(500, 2_000)
        // Writes do not wait for the standby, only for the service that is killed.
        await Promise.all([cause(), run.waitForRecovery(performance.now(), 3)])
        await patiently(() => pair.resume())
        await patiently(() => pair.delay(0))
      }
    await readers.stop()
    run.note(readers.summary())
    if (readers.usable === 0) run.report({ kind: 'broken', detail: 'the standby was never read' })
    await run.finish()
  },
}

/**
 * Lists all messages of wallets, which mostly come from the standby: each must show what was acknowledged before. It reads the
 * metrics of the standby meanwhile.
 */
function startReaders(run: Run, wallets: Wallets, services: ServiceProcess[]) {
  const stop = new AbortController()
  const random = run.random.fork('lists')
  let [lists, looks, usable, behind] = [0, 0, 0, 0]

  async function list(): Promise<void> {
    const address = random.pick(wallets.addresses)
    const due = [...run.history.values()].filter(
      ({ room, acknowledged }) => acknowledged && room.split(' ').length === 2 && room.includes(address),
    )
    const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(20_000)])
    const client = wallets.client(address, random.pick(services).url)
    const items = await client.listDirectMessages({ address }, { signal })
    const shown = new Set(items.map(keyOf))
    for (const { key } of due)
      if (!shown.has(key))
        run.report({ kind: 'gap', detail: `${key} was acknowledged, then not listed for ${address}` })
    lists++
  }
  async function look(): Promise<void> {
    const headers = { authorization: `Bearer ${metricsToken}` }
    const answer = await fetch(`${random.pick(services).url}/metrics`, { headers, signal: stop.signal })
    const text = await answer.text()
    const metric = (name: string) => Number(new RegExp(`^${name}\\{.*\\} (.*)$`, 'm').exec(text)?.[1])
    usable += metric('parley_standby_usable')
    behind = Math.max(behind, metric('parley_standby_behind_seconds'))
    looks++
  }
  async function repeat(work: () => Promise<void>, pause: number): Promise<void> {
    // A service that was killed does not answer.
    for (; !stop.signal.aborted; await sleep(pause)) await work().catch(() => {})
  }
  const running = Promise.all([repeat(list, 200), repeat(look, 500)])
  const end = async () => {
    stop.abort()
    await running
  }
  return {
    stop: end,
    get usable() {
      return usable
    },
    summary: () =>
      `${lists} lists; the standby was usable at ${usable} of ${looks} looks, and ${behind.toFixed(1)} s behind at most`,
    [Symbol.asyncDispose]: end,
  }
}

/** Retries for half a minute: the standby may be starting again. */
async function patiently(work: () => Promise<unknown>): Promise<void> {
  for (const deadline = performance.now() + 30_000; ; await sleep(200))
    try {
      return void (await work())
    } catch (error) {
      if (performance.now() > deadline) throw error
    }
}
