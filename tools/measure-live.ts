// What live events cost: `node tools/measure-live.ts [--streams 10000] [--members 1000]` starts a service of its own, opens
// that many event streams from another process, and prints the memory they take and how long a message in a group chat
// needs until the last of its members has it. Needs as many open files (`ulimit -n`).

import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createClient } from '@parley/sdk'
import { issueToken } from '../server/src/auth/tokens.ts'

const { values } = parseArgs({
  options: {
    streams: { type: 'string', default: '10000' },
    members: { type: 'string', default: '1000' },
    posts: { type: 'string', default: '20' },
  },
})

interface Order {
  port: number
  tokens: string[]
}

/** Told to whoever started the streams: how many are open, and when the last one got each message. */
interface Report {
  open: number
  /** By the message's text: how many have it, and the time of the last. */
  got: Record<string, { count: number; last: number }>
}

if (process.send) process.once('message', (order) => void listen(order as Order))
else await measure(Number(values.streams), Number(values.members), Number(values.posts))

async function measure(streams: number, members: number, posts: number): Promise<void> {
  const service = await startService()
  const listener = fork(import.meta.filename, [], { serialization: 'advanced' })
  try {
    const wallets = Array.from({ length: streams }, () => `0x${randomBytes(20).toString('hex')}`)
    const tokens = await Promise.all(wallets.map((address) => service.tokenOf(address)))
    const as = (i: number) => createClient({ baseUrl: service.url, token: tokens[i]! })
    const chat = `0x${randomBytes(20).toString('hex')}`
    await inTurns(members, 32, (i) => as(i).joinChat({ body: { walletaddr: wallets[i]!, nftaddr: chat } }))
    await sleep(500)
    console.log(`service without streams   ${service.memory()} MB`)

    let report: Report = { open: 0, got: {} }
    listener.on('message', (message) => (report = message as Report))
    const begun = performance.now()
    listener.send({ port: service.port, tokens } satisfies Order)
    while (report.open < streams) await sleep(50)
    console.log(`${streams} streams opened in   ${Math.round(performance.now() - begun)} ms`)
    await sleep(3000)
    console.log(`service with them         ${service.memory()} MB`)

    const times: number[] = []
    for (let i = 0; i < posts; i++) {
      const message = randomUUID()
      const sent = Date.now()
      await as(0).postGroupMessage({ body: { fromaddr: wallets[0]!, nftaddr: chat, message } })
      while (report.got[message]?.count !== members) await sleep(20)
      times.push(report.got[message].last - sent)
    }
    times.sort((a, b) => a - b)
    console.log(
      `post to the last of ${members}: median ${times[Math.floor(posts / 2)]} ms, slowest ${times.at(-1)} ms`,
    )
    console.log(`service after that        ${service.memory()} MB`)
  } finally {
    listener.kill()
    await service.stop()
  }
}

async function startService() {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'parley-measure-'))
  const port = 10_000 + Math.floor(Math.random() * 22_000)
  const url = `http://127.0.0.1:${port}`
  const secret = randomBytes(32).toString('hex')
  const child: ChildProcess = spawn(
    process.execPath,
    [path.join(import.meta.dirname, '../server/src/main.ts')],
    {
      env: {
        PATH: process.env.PATH,
        PORT: String(port),
        DATA_DIR: dataDir,
        JWT_SECRET: secret,
        RATE_LIMITS: 'off',
        LOG_LEVEL: 'warn',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  await once(child.stdout!, 'data')
  return {
    port,
    url,
    tokenOf: (address: string) => issueToken({ config: { publicUrl: url, jwtSecret: secret } }, address),
    memory: () => Math.round(Number(execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)])) / 1024),
    stop: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** The other process: opens the streams and notes what comes. */
async function listen({ port, tokens }: Order): Promise<void> {
  const report: Report = { open: 0, got: {} }
  setInterval(() => process.send!(report), 20)
  await inTurns(tokens.length, 100, async (i) => {
    const socket = net.connect(port, '127.0.0.1')
    socket.setEncoding('latin1')
    socket.write(`GET /v1/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${tokens[i]}\r\n\r\n`)
    await new Promise<void>((resolve) => {
      socket.on('data', (text: string) => {
        if (text.includes('retry:')) resolve()
        const message = /"message": ?"([^"]+)"/.exec(text)?.[1]
        if (!message) return
        const got = (report.got[message] ??= { count: 0, last: 0 })
        got.count++
        got.last = Date.now()
      })
    })
    report.open++
  })
}

async function inTurns(count: number, atOnce: number, work: (i: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}
