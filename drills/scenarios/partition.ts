import path from 'node:path'
import { mkdir } from 'node:fs/promises'
import type { Drill } from '../drill.ts'
import { type Fault, startProxy } from '../proxy.ts'
import type { Stage } from '../run.ts'

const faults: Fault[] = ['delay', 'stall', 'reset', 'half-open']

/** The network fails between clients and service, and between service and database. */
export const partition: Drill = {
  name: 'partition',
  what: 'delay, stall, reset and half-open connections, to the service and from it to its database',
  seconds: 180,
  async play(stage) {
    const { url } = await stage.startDatabase()
    const database = await behindProxy(stage, url)
    const service = await stage.startService({ DATABASE_URL: database.url })
    const port = Number(new URL(service.url).port)
    const front = stage.use(await startProxy({ host: '127.0.0.1', port: 0 }, { host: '127.0.0.1', port }))
    await stage.startLoad(() => [front.url])
    for (let turn = 0; stage.isTime(); turn++) {
      await stage.pause(500, 2000)
      const where = turn % 2 === 0 ? front : database.proxy
      const fault = faults[(turn >> 1) % faults.length]!
      where.set(fault, stage.random.between(50, 300))
      await stage.pause(500, 3000)
      where.set('none')
      await stage.recovered(performance.now(), 10)
    }
    await stage.finish()
  },
}

/** The database's unix socket, once more, behind a proxy. */
async function behindProxy(stage: Stage, url: string) {
  const sockets = path.join(stage.directory, 'sockets')
  await mkdir(sockets)
  const through = new URL(url)
  const socket = '.s.PGSQL.5432'
  const target = path.join(through.searchParams.get('host')!, socket)
  const proxy = stage.use(await startProxy({ path: path.join(sockets, socket) }, { path: target }))
  through.searchParams.set('host', sockets)
  return { proxy, url: String(through) }
}
