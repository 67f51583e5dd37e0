// An agent that is killed at any moment answers each message once (sdk/src/agent).

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'vitest'
import { newApiKeyOf } from '../../testing/people/secrets.ts'
import { newFolder } from '../../testing/service/files.ts'
import { newWallet, useService } from '../../testing/service/service.ts'

const service = useService()

const program = path.join(import.meta.dirname, '../../testing/people/answering-agent.ts')
/** A run of more kills takes AGENT_KILLS=100. Each is a start of Node.js, which costs most of this file. */
const kills = Number(process.env.AGENT_KILLS ?? 10)

test.concurrent('killed again and again it answers each message once', async ({ expect }) => {
  await using folder = await newFolder('agent')
  const [bot, chat] = [newWallet(), newWallet()]
  const asBot = await service.as(bot)
  const key = await newApiKeyOf(service, bot, ['inbox:read', 'dm:send', 'chat:read', 'chat:post'])
  const env = {
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    PARLEY_URL: await service.listen(),
    PARLEY_API_KEY: key,
    AGENT_FILE: path.join(folder.path, 'agent.json'),
  }
  const peers = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const address = newWallet()
      await asBot.setContact({ peer: address, body: { state: 'accepted' } })
      return { address, client: await service.as(address) }
    }),
  )
  await asBot.joinChat({ body: { walletaddr: bot, nftaddr: chat } })

  const start = () => {
    const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    const lines: string[] = []
    const ready = Promise.withResolvers<void>()
    createInterface(child.stdout).on('line', (line) => {
      lines.push(line)
      if (line === 'ready') ready.resolve()
    })
    const ended = once(child, 'exit')
    return {
      child,
      lines,
      ready: Promise.race([ready.promise, ended]),
      ended,
      [Symbol.asyncDispose]: async () => void child.kill('SIGKILL'),
    }
  }
  const errors: string[] = []
  const end = async ({ child, ended, lines }: ReturnType<typeof start>, signal: NodeJS.Signals) => {
    child.kill(signal)
    await ended
    errors.push(...lines.filter((line) => line.startsWith('error')))
  }

  const first = start()
  await first.ready
  await end(first, 'SIGKILL')

  const sent = new Set<number>()
  const mentioned = new Set<number>()
  const over = new AbortController()
  const writing = peers.map(async ({ address, client }, n) => {
    for (let i = 0; !over.signal.aborted; i++) {
      const [item] = await client.sendDirectMessage({
        body: { fromaddr: address, toaddr: bot, message: String(i) },
      })
      sent.add(item!.id)
      if (n === 0) {
        const message = `@${bot} ${i}`
        const [post] = await client.postGroupMessage({ body: { fromaddr: address, nftaddr: chat, message } })
        mentioned.add(post!.id)
      }
      await sleep(Math.random() * 600)
    }
  })
  for (let n = 0; n < kills; n++) {
    const run = start()
    // One in five is killed while it starts.
    if (n % 5 > 0) await run.ready
    await sleep(Math.random() * 200)
    await end(run, 'SIGKILL')
  }
  over.abort()
  await Promise.all(writing)

  await using last = start()
  const answered = async () => {
    const own = (await asBot.listDirectMessages({ address: bot })).filter(({ fromaddr }) => fromaddr === bot)
    const posts = await asBot.listGroupMessages({ address: chat, useraddress: bot })
    return [own, posts.filter(({ fromaddr }) => fromaddr === bot)].map((items) =>
      items.map(({ message }) => Number(message.split(' ')[0])).toSorted((a, b) => a - b),
    )
  }
  const expected = [sent, mentioned].map((ids) => [...ids].toSorted((a, b) => a - b))
  await expect
    .poll(async () => (await answered()).map(({ length }) => length), { timeout: 60_000 })
    .toEqual(expected.map(({ length }) => length))
  // Nothing comes afterwards.
  await sleep(500)
  await end(last, 'SIGTERM')
  expect(last.child.exitCode).toBe(0)
  expect(await answered()).toEqual(expected)
  expect(errors).toEqual([])
  // The kills met what they were meant for.
  expect(sent.size).toBeGreaterThan(4 * kills)
}, 900_000)

test.concurrent('killed while its answers grow it completes each of them, and sends none twice', async ({
  expect,
}) => {
  await using folder = await newFolder('streaming-agent')
  const bot = newWallet()
  const asBot = await service.as(bot)
  await asBot.becomeBot()
  const env = {
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    PARLEY_URL: await service.listen(),
    PARLEY_API_KEY: await newApiKeyOf(service, bot, ['inbox:read', 'dm:send', 'message:edit']),
    AGENT_FILE: path.join(folder.path, 'agent.json'),
    AGENT_STREAMS: 'yes',
  }
  /** Runs it for some milliseconds from when it listens on. */
  const run = async (milliseconds: number | (() => Promise<unknown>), signal: NodeJS.Signals = 'SIGKILL') => {
    const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = once(child, 'exit')
    const lines = createInterface(child.stdout)
    await once(lines, 'line')
    await (typeof milliseconds === 'number' ? sleep(milliseconds) : milliseconds())
    child.kill(signal)
    await ended
  }
  await run(0)
  const peers = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const address = newWallet()
      await asBot.setContact({ peer: address, body: { state: 'accepted' } })
      return { address, client: await service.as(address) }
    }),
  )
  const sent: number[] = []
  const write = async () => {
    for (const { address: fromaddr, client } of peers) {
      const [item] = await client.sendDirectMessage({ body: { fromaddr, toaddr: bot, message: '?' } })
      sent.push(item!.id)
    }
  }
  const answers = async () =>
    (await asBot.listDirectMessages({ address: bot }))
      .filter(({ fromaddr }) => fromaddr === bot)
      .map(({ message }) => message)
  let partial = 0
  for (let n = 0; n < 9; n++) {
    if (n % 3 === 0) await write()
    await run(Math.random() * 1_800)
    partial += (await answers()).filter((message) => !message.endsWith(' is the end')).length
  }
  const isComplete = async () => (await answers()).filter((message) => message.endsWith(' is the end')).length
  await run(
    () =>
      expect
        .poll(isComplete, { timeout: 60_000 })
        .toBe(sent.length)
        .then(() => sleep(500)),
    'SIGTERM',
  )
  const ids = (await answers()).map((message) => Number(/^(\d+) by \d+ is the end$/.exec(message)?.[1]))
  expect(ids.toSorted((a, b) => a - b)).toEqual(sent.toSorted((a, b) => a - b))
  // The kills met what they were meant for.
  expect(partial).toBeGreaterThan(3)
}, 300_000)
