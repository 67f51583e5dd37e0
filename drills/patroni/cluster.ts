// These are three PostgreSQL nodes under Patroni, an etcd, and an HAProxy, from the packages of the system, on 127.0.0.1. Each
// node reaches etcd through a proxy of its own, so it can be cut off.

import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { newClient } from '../../server/src/db/client.ts'
import { freePort } from '../../testing/service/ports.ts'
import { newNode, type Node } from './node.ts'
import { openPrograms } from '../programs.ts'
import { findEtcdApi, haproxySettings } from './settings.ts'

interface Member {
  name: string
  role: 'leader' | 'sync_standby' | 'replica'
  state: string
}

export type PatroniCluster = Awaited<ReturnType<typeof startPatroni>>

/**
 * Starts all of it, with a database `parley`; waits until it is healthy. `patience` multiplies the
 * minute that each step may take.
 */
export async function startPatroni(log: (line: string) => void, patience: number) {
  await using stack = new AsyncDisposableStack()
  const programs = stack.use(await openPrograms(log, ['patroni', 'etcd', 'haproxy', 'postgres']))
  const etcdApi = await findEtcdApi(programs.files.patroni)
  const [etcdPort, peerPort, haproxyPort] = [await freePort(), await freePort(), await freePort()]
  const options = etcdOptions(programs.directory, etcdPort, peerPort)
  if (etcdApi === 'etcd') options.push('--enable-v2=true')
  programs.run('etcd', [programs.files.etcd, ...options])
  const nodes: Node[] = []
  for (const name of ['node1', 'node2', 'node3'])
    nodes.push(stack.use(await newNode(name, etcdPort, programs, etcdApi)))
  const haproxy = await programs.write('haproxy.cfg', haproxySettings(haproxyPort, nodes))
  programs.run('haproxy', [programs.files.haproxy, '-db', '-f', haproxy])

  const until = async (what: string, isSo: (all: Member[]) => boolean): Promise<Node> => {
    const deadline = performance.now() + patience * 60_000
    for (;;) {
      const all = await membersOf(nodes)
      const leader = all.find(isLeading)
      if (leader && isSo(all)) return nodes.find(({ name }) => name === leader.name)!
      if (performance.now() > deadline) {
        for (const { name } of nodes) log(`${name} said:\n${programs.said(name)}`)
        throw new Error(`not ${what} in time: ${JSON.stringify(all)}`)
      }
      await sleep(200)
    }
  }
  // The first to start initializes the database, the others copy it.
  nodes[0]!.start()
  const { port } = await until('led', () => true)
  await createDatabase(port)
  for (const node of nodes.slice(1)) node.start()
  await until('healthy', isHealthy)
  const open = stack.move()
  return {
    nodes,
    haproxyUrl: `postgres://parley@127.0.0.1:${haproxyPort}/parley`,
    hostsUrl: `postgres://parley@${nodes.map((node) => `127.0.0.1:${node.port}`).join(',')}/parley?target_session_attrs=read-write`,
    /** Returns the node that leads now. */
    leader: () => until('led', () => true),
    /** Waits until another node than this one leads. */
    otherLeader: (before: Node) =>
      until('led by another', (all) => all.find(isLeading)!.name !== before.name),
    /** Waits until a leader and two standbys run, one of them synchronous. */
    healthy: () => until('healthy', isHealthy),
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}

function etcdOptions(directory: string, port: number, peerPort: number): string[] {
  const [clients, peers] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`]
  return Object.entries({
    name: 'one',
    'data-dir': path.join(directory, 'etcd'),
    logger: 'zap',
    'listen-client-urls': clients,
    'advertise-client-urls': clients,
    'listen-peer-urls': peers,
    'initial-advertise-peer-urls': peers,
    'initial-cluster': `one=${peers}`,
  }).map(([name, value]) => `--${name}=${value}`)
}

/** Returns what the first node to respond says; none may, while all are busy or gone. */
async function membersOf(nodes: Node[]): Promise<Member[]> {
  const answered = new AbortController()
  // On a busy machine an answer takes more than a second.
  const signal = AbortSignal.any([answered.signal, AbortSignal.timeout(5_000)])
  const ask = async ({ restPort }: Node) => {
    const answer = await fetch(`http://127.0.0.1:${restPort}/cluster`, { signal })
    if (!answer.ok) throw new Error(`Patroni answers ${answer.status}`)
    return ((await answer.json()) as { members: Member[] }).members
  }
  const members = await Promise.any(nodes.map(ask)).catch(() => [])
  answered.abort()
  return members
}

const runs = ({ state }: Member) => state === 'running' || state === 'streaming'
const isLeading = (member: Member) => member.role === 'leader' && runs(member)
const isHealthy = (all: Member[]) =>
  all.filter(runs).length === 3 && all.some((member) => member.role === 'sync_standby' && runs(member))

async function createDatabase(port: number): Promise<void> {
  const client = newClient({ url: `postgres://parley@127.0.0.1:${port}/postgres`, name: 'parley drill' })
  await client.connect()
  await client.query('create database parley').finally(() => client.end())
}
