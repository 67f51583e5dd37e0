import path from 'node:path'
import { mkdir } from 'node:fs/promises'
import type { Drill } from '../drill.ts'
import { type Fault, startProxy } from '../proxy.ts'
import type { Run } from '../run.ts'

const faults: Fault[] = ['delay', 'stall', 'reset', 'half-open']

/** The network fails between clients and service, and between service and database. */
export const partition: Drill = {
  name: 'partition',
  summary:
    'delay, stall, reset and half-open connections, between clients and service and between service and database',
  seconds: 180,
  async perform(run) {
    const { url } = await run.startDatabase()
    const database = await behindProxy(run, url)
    const service = await run.startService({ DATABASE_URL: database.url })
    const front = run.use(
      await startProxy({ host: '127.0.0.1', port: 0 }, { host: '127.0.0.1', port: service.port }),
    )
    await run.startLoad(() => [front.url])
    for (let turn = 0; run.hasTime(); turn++) {
      await run.pause(500, 2000)
      const where = turn % 2 === 0 ? front : database.proxy
      const fault = faults[(turn >> 1) % faults.length]!
      where.set(fault, run.random.between(50, 300))
      await run.pause(500, 3000)
      where.set('none')
      await run.waitForRecovery(performance.now(), 10)
    }
    await run.finish()
  },
}

/**
 * Opens a second unix socket of the database, behind a proxy; for a cluster, a second port of its coordinator.
 */
async function behindProxy(run: Run, url: string) {
  const through = new URL(url)
  if (!through.searchParams.has('host')) {
    const target = { host: through.hostname, port: Number(through.port) }
    const proxy = run.use(await startProxy({ host: '127.0.0.1', port: 0 }, target))
    through.host = new URL(proxy.url).host
    return { proxy, url: String(through) }
  }
  const sockets = path.join(run.directory, 'sockets')
  await mkdir(sockets)
  const socket = '.s.PGSQL.5432'
  const target = path.join(through.searchParams.get('host')!, socket)
  const proxy = run.use(await startProxy({ path: path.join(sockets, socket) }, { path: target }))
  through.searchParams.set('host', sockets)
  return { proxy, url: String(through) }
}
