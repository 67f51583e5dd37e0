import type { ChildProcess } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { freePort } from '../../testing/service/ports.ts'
import { processesIn } from '../../testing/service/processes.ts'
import { type Proxy, startProxy } from '../proxy.ts'
import type { Programs } from '../programs.ts'
import { type EtcdApi, patroniSettings } from './settings.ts'

/** A PostgreSQL and the Patroni that runs it. */
export interface Node extends AsyncDisposable {
  name: string
  port: number
  /** The port of its Patroni's REST API. */
  restPort: number
  /** The proxy on its way to etcd. */
  toEtcd: Proxy
  start: () => void
  /** Sends a signal to all of its processes, as if it were a machine, or to those of its PostgreSQL. */
  signal: (signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT', to?: 'all' | 'postgres') => Promise<void>
}

export async function newNode(
  name: string,
  etcdPort: number,
  programs: Programs,
  etcdApi: EtcdApi,
): Promise<Node> {
  const { directory, files, give, run, write } = programs
  const toEtcd = await startProxy({ host: '127.0.0.1', port: 0 }, { host: '127.0.0.1', port: etcdPort })
  const [port, restPort] = [await freePort(), await freePort()]
  const home = path.join(directory, name)
  await mkdir(home, { mode: 0o700 })
  await give(home)
  const own = { name, home, port, restPort, etcd: new URL(toEtcd.url).host }
  const settings = await write(
    `${name}.yml`,
    JSON.stringify(patroniSettings(own, path.dirname(files.postgres), etcdApi)),
  )
  let patroni: ChildProcess | undefined

  // Processes are found by their directory, so also those whose main process has gone.
  const pids = (of: 'all' | 'postgres'): number[] => [
    ...(patroni?.pid && of === 'all' ? [patroni.pid] : []),
    ...processesIn(path.join(home, 'data')),
  ]
  async function signal(wanted: NodeJS.Signals, to: 'all' | 'postgres' = 'all'): Promise<void> {
    for (const pid of pids(to))
      try {
        process.kill(pid, wanted)
      } catch {
        // It has ended already.
      }
  }
  return {
    name,
    port,
    restPort,
    toEtcd,
    start: () => void (patroni = run(name, [files.patroni, settings])),
    signal,
    async [Symbol.asyncDispose]() {
      await signal('SIGKILL')
      await toEtcd[Symbol.asyncDispose]()
    },
  }
}
