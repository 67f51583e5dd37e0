// Runs one process for each instance behind one port (INSTANCES). The supervisor owns the embedded
// database, accepts connections and hands them to the processes in turn (node:cluster). It serves
// nothing itself.
//
//   a process dies        another one is started, with backoff
//   SIGHUP                a new process is started, then an old one ends its requests; one after the other
//   SIGTERM, SIGINT       the signal is passed on; each process ends as a single one does
//   the supervisor dies   Node ends the processes

import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { register } from 'prom-client'
import type { Config } from '../config/settings.ts'
import { startOwnDatabase } from '../db/open.ts'
import { whenAborted } from '../lib/abort.ts'
import { createBackoff } from '../lib/backoff.ts'
import { repeat } from '../lib/repeat.ts'
import { createLog } from '../telemetry/log.ts'
import { type Channel, openChannel, type Question } from './channel.ts'

interface Instance {
  worker: Worker
  channel: Channel
  ended: Promise<void>
  /** This is true when the process is to end. */
  isEnding: boolean
}

/** Runs a number of processes until the signal; resolves when all have ended. */
export async function supervise(
  config: Config,
  count: number,
  stop: AbortSignal,
  onReady: () => void,
): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const log = createLog(config.logLevel)
  const own =
    config.databaseUrl === undefined ? stack.use(await startOwnDatabase(config, log, count + 1)) : undefined
  const instances = new Set<Instance>()
  const environment = {
    ...(own && { DATABASE_URL: own.url }),
    MAX_CONNECTIONS: String(Math.ceil(config.maxConnections / count)),
  }
  const start = () => startInstance({ environment, instances, log, stop, replace })
  // A process that ended by itself left these behind.
  const replace = async (): Promise<void> => {
    const backoff = createBackoff({ first: 100, longest: 5_000, atOnce: true })
    while (!stop.aborted && instances.size < count) {
      await sleep(backoff.next(), undefined, { signal: stop }).catch(() => {})
      await start().catch((error: Error) => log.error(error.message))
    }
  }
  if (own)
    stack.use(
      repeat(1_000, async () => {
        for (const { channel } of instances) channel.tell({ kind: 'disk', isShort: own.disk.isShort })
      }),
    )
  stack.defer(() => endAll(instances, config, stop.aborted ? (stop.reason as NodeJS.Signals) : 'SIGTERM'))
  // The first process starts alone: it migrates the database, and reports problems with the settings.
  await start()
  await Promise.all(Array.from({ length: count - 1 }, start))
  if (!stop.aborted) onReady()
  let restarting: Promise<void> | undefined
  const onHangup = () => {
    restarting ??= restart({ instances, config, log, stop, start }).finally(() => (restarting = undefined))
  }
  // A terminal that is closed sends it too; then the service ends.
  if (!process.stdin.isTTY) process.on('SIGHUP', onHangup)
  await whenAborted(stop)
  process.off('SIGHUP', onHangup)
}

interface Start {
  environment: Record<string, string>
  instances: Set<Instance>
  log: Logger
  stop: AbortSignal
  replace: () => Promise<void>
}

/** Resolves when the process serves; throws when it ends before. */
async function startInstance({ environment, instances, log, stop, replace }: Start): Promise<void> {
  if (stop.aborted) return
  const worker = cluster.fork(environment)
  const other = worker.process
  closeWhatIsLost(worker)
  const channel = openChannel({ other, answer: (question) => askOthers(instances, worker, question) })
  const ended = once(worker, 'exit').then(() => void instances.delete(instance))
  const instance: Instance = { worker, channel, ended, isEnding: false }
  instances.add(instance)
  await Promise.race([once(worker, 'listening'), ended, whenAborted(stop)])
  if (!instances.has(instance))
    throw new Error('A process has ended before it served; the reason stands above.')
  void ended.then(() => {
    if (instance.isEnding || stop.aborted) return undefined
    log.error(
      { pid: other.pid, code: other.exitCode, signal: other.signalCode },
      'a process has ended: starting another one',
    )
    return replace()
  })
}

/**
 * Node forgets a connection that it has handed to a process which ends before it takes the connection: the client would wait
 * forever. This closes it. It reads Node's own messages, as of Node 26.
 */
function closeWhatIsLost({ process: other }: Worker): void {
  const handed = new Map<number, { close: () => void }>()
  const send = other.send.bind(other) as (...all: unknown[]) => boolean
  other.send = (...all: unknown[]) => {
    const [message, handle] = all as [{ act?: string; seq: number }, { close: () => void }]
    if (message.act === 'newconn') handed.set(message.seq, handle)
    return send(...all)
  }
  other.on('internalMessage', ({ ack }: { ack?: number }) => void handed.delete(ack ?? -1))
  other.once('exit', () => {
    for (const handle of handed.values()) handle.close()
  })
}

/** Returns the answers of all processes but one, and of this one. */
async function askOthers(instances: Set<Instance>, asking: Worker, question: Question): Promise<unknown[]> {
  const others = [...instances].filter(({ worker }) => worker !== asking && worker.isConnected())
  const answers = await Promise.all(others.map(({ channel }) => channel.ask(question)))
  return [...answers.flat(), ...(question === 'metrics' ? [await register.getMetricsAsJSON()] : [])]
}

/** Replaces each process by a new one, one after the other. */
async function restart({
  instances,
  config,
  log,
  stop,
  start,
}: Pick<Start, 'instances' | 'log' | 'stop'> & {
  config: Config
  start: () => Promise<void>
}): Promise<void> {
  log.info('SIGHUP: each process is replaced by a new one')
  const old = [...instances]
  for (const instance of old) {
    if (stop.aborted) return
    try {
      await start()
    } catch (error) {
      return log.error(
        `the restart has stopped, the processes from before go on: ${(error as Error).message}`,
      )
    }
    instance.isEnding = true
    instance.channel.tell({ kind: 'end' })
    await endInTime(instance, config)
  }
  log.info('all processes are new')
}

async function endAll(instances: Set<Instance>, config: Config, signal: NodeJS.Signals): Promise<void> {
  await Promise.all(
    [...instances].map((instance) => {
      instance.isEnding = true
      instance.worker.process.kill(signal)
      return endInTime(instance, config)
    }),
  )
}

/** Waits for the end of a process that got the message to end. */
async function endInTime({ worker, ended }: Instance, config: Config): Promise<void> {
  const limit = setTimeout(
    () => worker.process.kill('SIGKILL'),
    (config.drainSeconds + config.shutdownSeconds + 20) * 1000,
  )
  await ended
  clearTimeout(limit)
}
