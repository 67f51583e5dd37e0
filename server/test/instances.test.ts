// Several processes behind one port, as INSTANCES runs them.

import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '@parley/sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newFolder } from '../../testing/service/files.ts'
import { freePort } from '../../testing/service/ports.ts'
import { copyMigrated } from '../../testing/service/postgres.ts'
import { family } from '../../testing/service/processes.ts'
import { newWallet } from '../../testing/service/service.ts'
import { createServiceProcess, type ServiceProcess } from '../../testing/service/service-process.ts'
import { issueToken } from '../src/auth/tokens.ts'
import { countInstances } from '../src/instances/count.ts'

const jwtSecret = 'a secret of the tests, long enough to sign tokens with'
const metricsToken = 'a token of the tests, long enough to read metrics with'.replaceAll(' ', '-')

async function newService(env: Record<string, string> = {}) {
  const stack = new AsyncDisposableStack()
  const folder = stack.use(await newFolder('instances'))
  if (!('DATABASE_URL' in env)) await copyMigrated(folder.path)
  const port = await freePort()
  const service = stack.use(
    createServiceProcess({
      port,
      env: {
        DATA_DIR: folder.path,
        JWT_SECRET: jwtSecret,
        METRICS_TOKEN: metricsToken,
        INSTANCES: '2',
        DRAIN_SECONDS: '1',
        RATE_LIMITS: 'off',
        ...env,
      },
    }),
  )
  return Object.assign(service, { all: stack })
}

const isInstance = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('main.ts')
/** The processes that serve. */
const instancesOf = ({ pid }: ServiceProcess) => family(pid).filter((one) => one !== pid && isInstance(one))
const tokenFor = ({ url }: ServiceProcess, wallet: string) =>
  issueToken({ config: { jwtSecret, publicUrl: url } }, wallet)

/** Asks over a connection of its own, so that requests go to the processes in turn. */
const ask = (
  service: ServiceProcess,
  path: string,
  token?: string,
  { method, body, headers }: Pick<RequestInit, 'method' | 'body'> & { headers?: Record<string, string> } = {},
) =>
  fetch(`${service.url}${path}`, {
    method: method ?? 'GET',
    body: body ?? null,
    headers: { connection: 'close', ...(token && { authorization: `Bearer ${token}` }), ...headers },
  })

let service: Awaited<ReturnType<typeof newService>>
beforeAll(async () => {
  service = await newService()
  await service.start()
})
afterAll(() => service.all.disposeAsync())

test('auto is half of the cores, and at least one', () => {
  expect([1, 2, 3, 4, 8, 33].map((cores) => countInstances('auto', cores))).toEqual([1, 1, 1, 2, 4, 16])
  expect(countInstances(5, 2)).toBe(5)
})

test('requests go to all processes, and metrics are those of all together', async () => {
  expect(instancesOf(service)).toHaveLength(2)
  for (let i = 0; i < 10; i++) expect((await ask(service, '/healthz')).status).toBe(200)
  const metrics = await (await ask(service, '/metrics', metricsToken)).text()
  expect(metrics).toMatch(/parley_request_seconds_count\{method="GET",route="\/healthz",status="200"\} 10\n/)
  expect(metrics).toMatch(/parley_disk_bytes\{kind="free"\} \d+/)
})

test('a token that is signed out is refused by every process at once', async () => {
  for (let round = 0; round < 10; round++) {
    const wallet = newWallet()
    const token = await tokenFor(service, wallet)
    expect((await ask(service, '/v1/signout', token, { method: 'POST' })).status).toBe(204)
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => ask(service, `/v1/get_inbox/${wallet}`, token)),
    )
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401])
  }
})

test('a wallet has one budget for requests, not one for each process', async () => {
  await using limited = await newService({ RATE_LIMITS: 'on', LIMIT_READS: '50,0.001' })
  await limited.start()
  const wallet = newWallet()
  const token = await tokenFor(limited, wallet)
  const round = async () => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => ask(limited, `/v1/get_inbox/${wallet}`, token)),
    )
    return answers.filter(({ status }) => status === 200).length
  }
  let accepted = 0
  // What each has given is known to the others after a second.
  const next = async () => {
    const now = await round()
    accepted += now
    return now
  }
  await expect.poll(next, { interval: 2_500, timeout: 20_000 }).toBe(0)
  expect(accepted).toBeGreaterThanOrEqual(50)
  expect(accepted).toBeLessThan(75)
  await limited.all.disposeAsync()
})

test('an event reaches a stream that another process holds', async () => {
  const [alice, bob] = [newWallet(), newWallet()]
  const streams = await Promise.all(
    [0, 1, 2, 3].map(async () => ask(service, '/v1/events', await tokenFor(service, bob))),
  )
  const token = await tokenFor(service, alice)
  await createClient({ baseUrl: service.url, token }).sendDirectMessage({
    body: { fromaddr: alice, toaddr: bob, message: 'gm from another process' },
  })
  for (const { body } of streams) {
    let text = ''
    for await (const chunk of body!)
      if ((text += Buffer.from(chunk).toString()).includes('gm from another')) break
    expect(text).toContain('gm from another process')
  }
}, 15_000)

/** Sends with keys, one after the other, until told to stop; the texts that were acknowledged, and what was refused. */
function sendOn(to: ServiceProcess, alice: string, bob: string) {
  const state = { acknowledged: [] as string[], refused: [] as string[], stopped: false }
  const ended = (async () => {
    const token = await tokenFor(to, alice)
    for (let n = 0; !state.stopped; n++) {
      const body = JSON.stringify({ fromaddr: alice, toaddr: bob, message: `message ${n}` })
      const headers = { 'content-type': 'application/json', 'idempotency-key': `${alice}-${n}` }
      const answer = await ask(to, '/v1/create_chatitem', token, { method: 'POST', body, headers }).catch(
        (error: Error) => ({
          status: 0,
          statusText: `${error.message}: ${(error.cause as Error | undefined)?.message}`,
        }),
      )
      if (answer.status === 200) state.acknowledged.push(`message ${n}`)
      else state.refused.push(`${answer.status} ${answer.statusText}`)
    }
  })()
  return { ...state, stop: () => ((state.stopped = true), ended) }
}

const messagesOf = async (of: ServiceProcess, wallet: string) =>
  (
    await createClient({ baseUrl: of.url, token: await tokenFor(of, wallet) }).listDirectMessages({
      address: wallet,
    })
  ).map(({ message }) => message)

test('SIGHUP replaces each process, and no request is refused meanwhile', async () => {
  const [alice, bob] = [newWallet(), newWallet()]
  const before = instancesOf(service)
  const senders = [newWallet(), newWallet(), alice].map((from) => sendOn(service, from, bob))
  await sleep(500)
  service.child.kill('SIGHUP')
  await service.until('all processes are new')
  await sleep(500)
  await Promise.all(senders.map(({ stop }) => stop()))
  expect(senders.flatMap(({ refused }) => refused)).toEqual([])
  expect(await messagesOf(service, alice)).toEqual(senders[2]!.acknowledged)
  const after = instancesOf(service)
  expect(after).toHaveLength(2)
  expect(after.filter((pid) => before.includes(pid))).toEqual([])
})

test('a process that is killed is replaced; what was acknowledged is kept, the others serve on', async () => {
  const [alice, bob] = [newWallet(), newWallet()]
  const [victim] = instancesOf(service)
  const sender = sendOn(service, alice, bob)
  await sleep(500)
  process.kill(victim!, 'SIGKILL')
  await expect
    .poll(() => instancesOf(service).filter((pid) => pid !== victim).length, { timeout: 20_000 })
    .toBe(2)
  await service.until('a process has ended: starting another one')
  await sleep(500)
  await sender.stop()
  // Only what the dead process had in its hands.
  expect(sender.refused.length).toBeLessThanOrEqual(1)
  const stored = await messagesOf(service, alice)
  expect(stored).toEqual(expect.arrayContaining(sender.acknowledged))
  expect(new Set(stored).size).toBe(stored.length)
})

test('when the supervisor is killed, its processes end, and the service starts again with its data', async () => {
  await using killed = await newService()
  await killed.start()
  const [alice, bob] = [newWallet(), newWallet()]
  await createClient({ baseUrl: killed.url, token: await tokenFor(killed, alice) }).sendDirectMessage({
    body: { fromaddr: alice, toaddr: bob, message: 'kept' },
  })
  const instances = instancesOf(killed)
  await killed.end('SIGKILL')
  const isAlive = (pid: number) => {
    try {
      return isInstance(pid)
    } catch {
      return false
    }
  }
  await expect.poll(() => instances.filter(isAlive), { timeout: 10_000 }).toEqual([])
  await killed.start()
  expect(await messagesOf(killed, alice)).toEqual(['kept'])
  await killed.all.disposeAsync()
})

test('SIGTERM ends all processes with code 0; a start that fails says why and ends', async () => {
  await using other = await newService({
    DATABASE_URL: 'postgres://nobody:wrong@127.0.0.1:1/none',
    INSTANCES: '2',
  })
  other.launch()
  await other.until('the database is not ready')
  expect(await other.end('SIGTERM')).toBe(0)
  await other.all.disposeAsync()

  await using wrong = await newService({ INSTANCES: 'many' })
  wrong.launch()
  await wrong.until('INSTANCES must be a whole number from 1 to 64')
  await expect.poll(() => wrong.child.exitCode).toBe(1)
  await wrong.all.disposeAsync()
})
