import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createApp } from './app.ts'
import { crontab, tasks } from './background.ts'
import { readConfig } from './config/settings.ts'
import { openContext } from './context.ts'
import { startJobs } from './jobs/runner.ts'
import { whenAborted } from './lib/abort.ts'
import { followMessages } from './live/follow.ts'
import { closeInTime, endOnUnknownState, stopSignal } from './shutdown.ts'

const stop = stopSignal()

try {
  const config = readConfig()
  await requireFreePort(config)
  await using ctx = await openContext(config, stop)
  endOnUnknownState(ctx.log)
  await using _jobs = startJobs(ctx, ctx.databaseUrl, { tasks, crontab })
  await using _mails = followMessages(ctx)
  const app = await createApp(ctx)
  try {
    await app.listen({ host: config.host, port: config.port })
    console.log(
      `Parley is ready: open ${config.publicUrl} in your browser.\n` +
        `Parley API   ${config.publicUrl}\nParley docs  ${config.publicUrl}/docs/index.html`,
    )
    await whenAborted(stop)
    ctx.lifecycle.drain()
    // Time for a load balancer to notice that this instance ends. Not after Ctrl-C, when a person
    // waits.
    if (stop.reason === 'SIGTERM') await sleep(config.drainSeconds * 1000)
  } finally {
    await closeInTime(app, config.shutdownSeconds)
  }
} catch (error) {
  // Not an error: the process got a signal to end while it waited for its database.
  if (!stop.aborted || (error as Error).name !== 'AbortError') {
    console.error(`Parley could not start. ${startError(error as Error & { code?: string })}`)
    process.exitCode = 1
  }
}

/** Throws EADDRINUSE before a database is made, which takes seconds. */
async function requireFreePort({ host, port }: { host: string; port: number }): Promise<void> {
  const server = createServer().listen(port, host)
  await once(server, 'listening')
  await promisify(server.close.bind(server))()
}

function startError({ code, message }: Error & { code?: string }): string {
  if (code === 'EADDRINUSE') return `${message}. Another program uses this port: stop it, or set PORT.`
  return message
}
