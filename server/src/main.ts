import cluster from 'node:cluster'
import { once } from 'node:events'
import { createServer } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import { type Config, isEveryAddress, readConfig, urlHere } from './config/settings.ts'
import { startOwnDatabase } from './db/open.ts'
import { countInstances } from './instances/count.ts'
import { joinSiblings } from './instances/siblings.ts'
import { supervise } from './instances/supervisor.ts'
import { stopSignal } from './shutdown.ts'
import { keepHiddenClassOfTicks } from './lib/next-tick.ts'
import { createLog } from './telemetry/log.ts'

keepHiddenClassOfTicks()
const stop = stopSignal()

try {
  const config = readConfig()
  if (cluster.isWorker) await serveBesideOthers(config)
  else {
    console.log(`Parley data  ${path.resolve(config.dataDir)} (DATA_DIR)`)
    await requireFreePort(config)
    const count = countInstances(config.instances)
    if (count > 1) await supervise(config, count, stop, () => sayReady(config))
    else {
      if (!process.stdin.isTTY)
        process.on('SIGHUP', () =>
          console.warn('SIGHUP restarts processes one by one; set INSTANCES to 2 or more.'),
        )
      await serveAlone(config)
    }
  }
} catch (error) {
  // This is no error: the process got a signal to end while it waited for its database.
  if (!stop.aborted || (error as Error).name !== 'AbortError') {
    console.error(`Parley could not start. ${startError(error as Error & { code?: string })}`)
    process.exitCode = 1
  }
}
// The channel to the supervisor would prevent this process from ending.
if (cluster.isWorker) process.disconnect?.()

/** Serves as one of several processes. Its supervisor has printed that the service is ready, and owns SIGHUP. */
async function serveBesideOthers(config: Config): Promise<void> {
  process.on('SIGHUP', () => {})
  const { replaced, ...surroundings } = joinSiblings()
  const serve = await loadService()
  await serve(config, AbortSignal.any([stop, replaced]), () => {}, surroundings)
}

/** Serves as the only process. Its PostgreSQL starts while most of the code loads, which lets nothing else run. */
async function serveAlone(config: Config): Promise<void> {
  const onReady = () => sayReady(config)
  if (config.databaseUrl !== undefined) return (await loadService())(config, stop, onReady)
  const launched = Promise.withResolvers<void>()
  const database = startOwnDatabase(config, createLog(config.logLevel), 1, launched.resolve)
  // What has failed is thrown where the database is opened.
  database.catch(() => launched.resolve())
  await launched.promise
  try {
    const serve = await loadService()
    await serve(config, stop, onReady, { database })
  } finally {
    const own = await database.catch(() => undefined)
    await own?.[Symbol.asyncDispose]()
  }
}

/** Loads most of the code; a supervisor does without it. */
async function loadService() {
  return (await import('./serve.ts')).serve
}

function sayReady(config: Config): void {
  const { host, publicUrl } = config
  console.log(
    `Parley is ready: open ${publicUrl} in your browser.\n` +
      `Parley API   ${publicUrl}\nParley docs  ${publicUrl}/docs/index.html`,
  )
  if (isEveryAddress(host) && publicUrl === urlHere(config))
    console.log('Only this machine can open it there: set PUBLIC_URL to the address that other people open.')
}

/** Throws EADDRINUSE before a database is made, which takes seconds. */
async function requireFreePort({ host, port }: { host: string; port: number }): Promise<void> {
  // Somebody who waits for the service may connect at this moment, and would hold up the end.
  const server = createServer((socket) => socket.destroy()).listen(port, host)
  await once(server, 'listening')
  await promisify(server.close.bind(server))()
}

function startError({ code, message }: Error & { code?: string }): string {
  if (code === 'EADDRINUSE') return `${message}. Another program uses this port: stop it, or set PORT.`
  return message
}
