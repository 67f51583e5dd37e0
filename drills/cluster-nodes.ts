// These are the PostgreSQLs of the cluster of TEST_CITUS_URL, when they run on this machine: they are killed and started again.

import { execFile } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { newClient } from '../server/src/db/client.ts'
import { CannotRun } from './run.ts'

export interface ClusterNode {
  name: string
  kill: (signal: NodeJS.Signals) => Promise<void>
  /** Starts it as its owner, and resolves when it accepts connections. */
  start: () => Promise<void>
}

const loopback = new Set(['127.0.0.1', '::1', 'localhost'])

/** The coordinator and all workers of the cluster that has the database at `url`. */
export async function findNodes(url: string): Promise<ClusterNode[]> {
  const found = await ask<{ host: string; port: number }>(
    url,
    'select nodename as host, nodeport as port from pg_dist_node order by groupid',
  )
  return Promise.all(found.map(({ host, port }) => describe(url, host, port)))
}

async function describe(url: string, host: string, port: number): Promise<ClusterNode> {
  const name = `${host}:${port}`
  if (!loopback.has(host))
    throw new CannotRun(`it kills the nodes of the cluster: ${name} is another machine`)
  const own = new URL(url)
  own.hostname = host
  own.port = String(port)
  const [place] = await ask<{ data: string; programs: string }>(
    own.href,
    `select current_setting('data_directory') as data, setting as programs from pg_config where name = 'BINDIR'`,
  )
  const { data, programs } = place!
  const { uid, gid } = await stat(data)
  const me = process.getuid!()
  if (me !== 0 && me !== uid) throw new CannotRun(`it must run as root or as the owner of ${data}`)
  const start = () =>
    promisify(execFile)(
      path.join(programs, 'pg_ctl'),
      ['-D', data, '-w', '-l', path.join(data, 'drill.log'), 'start'],
      { cwd: '/', env: { PATH: programs }, ...(me === 0 && { uid, gid }) },
    )
  return {
    name,
    async kill(signal) {
      process.kill(Number((await readFile(path.join(data, 'postmaster.pid'), 'utf8')).split('\n')[0]), signal)
      // Its backends end by themselves; while one runs, it does not start again.
      await sleep(200)
    },
    async start() {
      for (let attempt = 0; ; attempt++)
        try {
          return void (await start())
        } catch (error) {
          if (attempt === 20) throw error
          await sleep(500)
        }
    },
  }
}

async function ask<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const client = newClient({ url, name: 'parley drill' })
  await client.connect()
  try {
    return (await client.query<Row>(sql)).rows
  } finally {
    await client.end()
  }
}
