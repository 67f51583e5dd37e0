import project from '../package.json' with { type: 'json' }
import { setTimeout as sleep } from 'node:timers/promises'
import { createApp } from './app.ts'
import { crontab, loops, readers, tasks } from './background.ts'
import { keepAddress } from './config/saved-address.ts'
import { type Config, isEveryAddress } from './config/settings.ts'
import { type Context, openContext, type Surroundings } from './context.ts'
import { startJobs } from './jobs/runner.ts'
import { whenAborted } from './lib/abort.ts'
import { followLog } from './cluster/follow.ts'
import { startTraces } from './telemetry/traces.ts'
import { closeInTime, endOnUnknownState } from './shutdown.ts'

/**
 * Serves until the signal, then ends the requests under way. The reason of the signal is that of `stopSignal`, or `replaced` when
 * another process goes on in place of this one.
 */
export async function serve(
  config: Config,
  stop: AbortSignal,
  onReady: () => void,
  surroundings: Surroundings = {},
): Promise<void> {
  await using _traces = await startTraces(config, project.version)
  await using ctx = await openContext(config, stop, surroundings)
  endOnUnknownState(ctx.log)
  // Jobs begin once the service listens, and end after its requests.
  await using jobs = new AsyncDisposableStack()
  await using following = new AsyncDisposableStack()
  for (const reader of readers(ctx)) following.use(followLog(ctx, reader))
  for (const loop of loops(ctx)) following.use(loop)
  const app = await createApp(ctx)
  try {
    const { host, port } = config
    const where = `${isEveryAddress(host) ? 'every address' : host}, port ${port}`
    // Fastify would log an address to open, such as http://[::]:8080, which no browser opens.
    await app.listen({ host, port, listenTextResolver: () => `listening on ${where}` })
    await keepAddress(config)
    onReady()
    jobs.use(startJobs(ctx, ctx.databaseUrl, { tasks, crontab }))
    await whenAborted(AbortSignal.any([stop, ctx.moved]))
    if (ctx.moved.aborted) return endMoved(ctx)
    ctx.lifecycle.drain(stop.reason !== 'replaced')
    // The pause gives a load balancer time to notice that this instance ends. There is none after Ctrl-C, when a person waits.
    if (stop.reason !== 'SIGINT') await sleep(config.drainSeconds * 1000)
  } finally {
    await closeInTime(app, config.shutdownSeconds)
  }
}

/** Ends the process because its connections are those for one machine. Its supervisor starts another one. */
function endMoved({ log, lifecycle }: Pick<Context, 'log' | 'lifecycle'>): void {
  lifecycle.drain()
  log.fatal('the database has become a cluster: ending, so that a new process starts on it')
  process.exitCode = 1
}
