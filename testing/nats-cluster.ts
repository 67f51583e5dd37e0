// These are three NATS servers in one cluster on 127.0.0.1, from Debian's package nats-server.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { createConnection } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { leash } from './leash.ts'
import { freePort } from './ports.ts'

/** The reason why there can be no cluster here; undefined when there can be one. */
export const noNats: string | undefined =
  spawnSync('nats-server', ['--version']).error && 'there is no nats-server: apt-get install nats-server'

const credentials = { user: 'parley', pass: 'a-password-of-tests' }

/** Starts the cluster. All servers end with it, and with this process. */
export async function startNatsCluster() {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'parley-nats-'))
  const held = leash(folder)
  const servers = await Promise.all(
    [0, 1, 2].map(async () => ({ port: await freePort(), route: await freePort() })),
  )
  const routes = servers.map(({ route }) => `nats://127.0.0.1:${route}`).join(',')
  const running: (ChildProcess | undefined)[] = []

  async function start(n: number): Promise<void> {
    const { port, route } = servers[n]!
    const own = ['-a', '127.0.0.1', '-p', String(port), '-n', `n${n}`]
    const ofCluster = [
      '--cluster_name',
      'tests',
      '--cluster',
      `nats://127.0.0.1:${route}`,
      '--routes',
      routes,
    ]
    const { user, pass } = credentials
    running[n] = spawn('nats-server', [...own, ...ofCluster, '--user', user, '--pass', pass], {
      stdio: 'ignore',
      cwd: folder,
    })
    while (!(await accepts(port))) await sleep(20)
  }

  async function kill(n: number): Promise<void> {
    const child = running[n]
    running[n] = undefined
    if (!child || child.exitCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }

  await Promise.all(servers.map((_, n) => start(n)))
  const { user, pass } = credentials
  return {
    /** The value of NATS_URL. */
    url: servers.map(({ port }) => `nats://${user}:${pass}@127.0.0.1:${port}`).join(','),
    size: servers.length,
    /** Starts a server again. */
    start,
    kill,
    pids: () => running.flatMap((child) => child?.pid ?? []),
    [Symbol.asyncDispose]: async () => {
      await Promise.all(servers.map((_, n) => kill(n)))
      await held[Symbol.asyncDispose]()
    },
  }
}

const accepts = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = createConnection(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
