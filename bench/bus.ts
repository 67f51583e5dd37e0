// This script measures what an event costs with a bus and without: services on one database, event streams of the members of one
// chat spread over them, and posts on the first. It prints milliseconds from a post to its first and last delivery, and CPU of
// each part.
//
//     node bench/bus.ts STREAMS POSTS PAUSE [INSTANCES]      PAUSE: milliseconds between posts

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import type net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startEmbedded } from '../server/src/db/embedded/start.ts'
import { forEachLimited } from '../server/src/lib/for-each-limited.ts'
import { startNatsCluster } from '../testing/nats-cluster.ts'
import { freePort } from '../testing/ports.ts'
import { cpuSeconds, family } from '../testing/processes.ts'
import { createServiceProcess } from '../testing/service-process.ts'
import { openStream } from './cases/fan-out.ts'
import { request, tokensOf } from './service/access.ts'

const [streams = 1000, posts = 10, pause = 200, instances = 4] = process.argv.slice(2).map(Number)
const jwtSecret = 'a secret of this measurement, long enough to sign tokens'
const chat = 'bus-bench'
const readPid = async (file: string) => Number.parseInt(await readFile(file, 'utf8'), 10)
const wallet = (n: number) => `0x${(n + 1).toString(16).padStart(40, '0')}`

async function measure(natsUrl: string | undefined, pidsOfNats: number[]) {
  await using stack = new AsyncDisposableStack()
  const directory = await mkdtemp(path.join(os.tmpdir(), 'parley-bus-'))
  stack.defer(() => rm(directory, { recursive: true, force: true }))
  const settings = { max_connections: String(100 + 40 * instances) }
  const database = stack.use(
    await startEmbedded({ dataDir: path.join(directory, 'database'), log: () => {}, settings }),
  )
  const ports = await Promise.all(Array.from({ length: instances }, freePort))
  const publicUrl = `http://127.0.0.1:${ports[0]}`
  const env = {
    DATABASE_URL: database.url,
    DATA_DIR: path.join(directory, 'data'),
    JWT_SECRET: jwtSecret,
    PUBLIC_URL: publicUrl,
    INSTANCES: '1',
    RATE_LIMITS: 'off',
    MAX_CONNECTIONS_SHARE: '100',
    LIMIT_STREAMS_OF_ADDRESS: '100000',
    LOG_LEVEL: 'warn',
    ...(natsUrl && { NATS_URL: natsUrl }),
  }
  const services = ports.map((port) => stack.use(createServiceProcess({ port, env })))
  for (const service of services) await service.start()
  const token = tokensOf({ publicUrl, jwtSecret })
  const access = (n: number) => ({ port: ports[n % instances]!, token })
  const call = async (n: number, way: string, body: object) => {
    const response = await fetch(`http://127.0.0.1:${ports[0]}${way}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${await token(wallet(n))}` },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${way}: ${response.status} ${await response.text()}`)
    await response.arrayBuffer()
  }
  await call(0, '/v1/create_community', { community: chat })
  const members = Array.from({ length: streams }, (_, n) => n)
  await forEachLimited(members, 32, (n) =>
    call(n, '/v1/create_bookmark', { walletaddr: wallet(n), nftaddr: chat }),
  )

  const times: number[] = []
  const onBlock = (block: string) => {
    if (block.includes('group-message')) times.push(performance.now())
  }
  const open: net.Socket[] = []
  stack.defer(() => open.forEach((socket) => socket.destroy()))
  await forEachLimited(members, 32, async (n) => {
    const { socket, status } = await openStream(
      access(n).port,
      await request(access(n), wallet(n), 'GET', '/v1/events'),
      onBlock,
    )
    if (status !== 200) throw new Error(`a stream was answered with ${status}`)
    open.push(socket)
  })
  await sleep(3000)

  const parts = {
    services: services.map(({ pid }) => pid),
    PostgreSQL: family(await readPid(path.join(directory, 'database/postgres/postmaster.pid'))),
    NATS: pidsOfNats,
  }
  const post = (message: string) =>
    call(0, '/v1/create_groupchatitem', { fromaddr: wallet(0), nftaddr: chat, message })
  console.log(natsUrl ? 'bus:' : 'no bus:', await play(post, times, parts))
}

/** Posts, waits for the deliveries, whose times come in `times`, and says what they cost. */
async function play(
  post: (message: string) => Promise<void>,
  times: number[],
  parts: Record<string, number[]>,
): Promise<string> {
  const used = () => Object.values(parts).map(cpuSeconds)
  const [before, since] = [used(), performance.now()]
  const [firsts, lasts] = [[] as number[], [] as number[]]
  for (let n = 0; n < posts; n++) {
    const [sent, count] = [performance.now(), times.length]
    await post(`post ${n}`)
    while (times.length < streams * (n + 1) && performance.now() - sent < 30_000) await sleep(1)
    firsts.push(times[count]! - sent)
    lasts.push(times.at(-1)! - sent)
    await sleep(pause)
  }
  const lasted = (performance.now() - since) / 1000
  const cpu = used().map((seconds, n) => Math.round(((seconds - before[n]!) * 1e6) / posts))
  const median = (all: number[]) => all.toSorted((x, y) => x - y)[all.length >> 1]!.toFixed(1)
  const names = Object.keys(parts)
  return [
    `${times.length} of ${streams * posts} deliveries in ${lasted.toFixed(0)} s;`,
    `first after ${median(firsts)} ms, last after ${median(lasts)} ms (medians);`,
    `CPU µs a post: ${cpu.map((microseconds, n) => `${names[n]} ${microseconds}`).join(', ')}`,
  ].join(' ')
}

await measure(undefined, [])
{
  await using nats = await startNatsCluster()
  await measure(nats.url, nats.pids())
}
await measure(undefined, [])
console.log(`load ${os.loadavg()[0]!.toFixed(1)} on ${os.availableParallelism()} cores`)
