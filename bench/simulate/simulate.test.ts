import { createServer } from 'node:http'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { serverUrl } from '../../testing/service/database.ts'
import { freePort } from '../../testing/service/ports.ts'
import { actions, actionsOf, lifeOf, perDay } from './habits.ts'
import { play } from './open-loop.ts'
import { type Choice, readChoice } from './options.ts'
import { populationOf, shareOf } from './population.ts'
import { drawerOf, randomOf } from './random.ts'
import { costOf, reckon, reckonedEarlier } from './reckoning.ts'
import * as report from './report.ts'
import { type Bounds, firstFull, isTooMuch, type Use } from './saturation.ts'
import { simulate } from './simulate.ts'

const choiceOf = (...args: string[]) => readChoice(args) as Choice
const { law, habits, room } = choiceOf()

const lawOf = fc.record({
  alpha: fc.double({ min: 0.5, max: 3, noNaN: true }),
  spread: fc.double({ min: 2, max: 10_000, noNaN: true }),
  acquaintances: fc.integer({ min: 1, max: 40 }),
  sample: fc.integer({ min: 2, max: 200 }),
  seed: fc.nat(),
})

test('a population keeps its law, whatever the law is', () => {
  fc.assert(
    fc.property(lawOf, (any) => {
      const population = populationOf(any)
      const { activity, addresses, peers } = population
      expect(populationOf(any)).toEqual(population)
      expect(new Set(addresses).size).toBe(any.sample)
      const sum = activity.reduce((total, one) => total + one, 0)
      expect(sum / any.sample).toBeCloseTo(1, 6)
      expect(activity.at(-1)! / activity[0]!).toBeLessThanOrEqual(any.spread * 1.0001)
      for (const [n, known] of peers.entries()) {
        expect(known.length).toBeGreaterThan(0)
        expect(known).not.toContain(n)
        expect(new Set(known).size).toBe(known.length)
        for (const peer of known) expect(peers[peer]).toContain(n)
      }
    }),
    { numRuns: 50 },
  )
})

test('a few wallets do most, and the size of the sample changes little of that', () => {
  for (const sample of [1000, 10_000]) {
    const population = populationOf({ ...law, sample })
    expect(shareOf(population, 0.2)).toBeCloseTo(0.69, 1)
    expect(shareOf(population, 0.01)).toBeCloseTo(0.29, 1)
    const links = population.peers.reduce((sum, known) => sum + known.length, 0)
    expect(links / sample).toBeGreaterThan(law.acquaintances * 0.8)
    expect(links / sample).toBeLessThan(law.acquaintances * 1.1)
  }
  const { addresses } = populationOf({ ...law, seed: 2 })
  expect(addresses[0]).not.toBe(populationOf(law).addresses[0])
})

test('wallets do what the habits say, as often as they say, and the same again with the same seed', () => {
  const population = populationOf({ ...law, sample: 300 })
  const life = lifeOf(population, habits, 1)
  const again = lifeOf(population, habits, 1)
  const counts: Record<string, number> = {}
  const sent = new Map<string, number>()
  for (let n = 0; n < 30_000; n++) {
    const asks = life.next()
    expect(again.next()).toEqual(asks)
    for (const { kind, wallet } of asks) {
      counts[kind] = (counts[kind] ?? 0) + 1
      if (kind === 'send') sent.set(wallet, (sent.get(wallet) ?? 0) + 1)
    }
  }
  const share = (times: number) => times / actionsOf(habits)
  for (const [kind, times] of Object.entries({
    send: habits.messages,
    inbox: habits.starts,
    unread: habits.starts,
    open: habits.openings,
    mark: habits.marks,
  }))
    expect(counts[kind]! / 30_000).toBeCloseTo(share(times), 1)
  const busiest = population.activity.length - 1
  const most = [...sent].toSorted(([, one], [, other]) => other - one)[0]![0]
  expect(most).toBe(population.addresses[busiest])
})

test('acquaintances have both written before anything else is written', () => {
  const life = lifeOf(populationOf({ ...law, sample: 50 }), habits, 1)
  const { first, answers } = life.beginnings()
  const pairs = (asks: typeof first) => asks.map(({ body }) => body as { fromaddr: string; toaddr: string })
  expect(pairs(answers).map(({ fromaddr, toaddr }) => [toaddr, fromaddr])).toEqual(
    pairs(first).map(({ fromaddr, toaddr }) => [fromaddr, toaddr]),
  )
  const known = new Set(pairs([...first, ...answers]).map(({ fromaddr, toaddr }) => `${fromaddr} ${toaddr}`))
  for (const { fromaddr, toaddr } of pairs(Array.from({ length: 500 }, () => life.next('send')).flat()))
    expect(known).toContain(`${fromaddr} ${toaddr}`)
  // Everything that was received can be marked once.
  expect(life.readAll().length).toBe(known.size)
  expect(life.readAll()).toEqual([])
})

test('draws are in proportion to weights', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 20 }),
      fc.nat(),
      (weights, seed) => {
        fc.pre(weights.some((weight) => weight > 0))
        const sum = weights.reduce((total, weight) => total + weight, 0)
        const draw = drawerOf(weights, randomOf(seed))
        const drawn = weights.map(() => 0)
        for (let n = 0; n < 2000; n++) drawn[draw()]!++
        for (const [n, weight] of weights.entries()) {
          if (weight === 0) expect(drawn[n]).toBe(0)
          expect(drawn[n]! / 2000).toBeCloseTo(weight / sum, 0.7)
        }
      },
    ),
    { numRuns: 30 },
  )
})

const some = fc.double({ min: 1e-6, max: 1e6, noNaN: true })
const costs = fc.record({ postgres: some, service: some, diskOfMessage: some, wal: some })

test('needs grow with the population, the cost and the peak, and there is always a process', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1e9 }),
      fc.integer({ min: 1, max: 1000 }),
      costs,
      (wallets, times, cost) => {
        const [one, many] = [wallets, wallets * times].map((size) => reckon(size, habits, cost, room))
        for (const name of [
          'postgresCores',
          'serviceCores',
          'sendsAtPeak',
          'diskOfYear',
          'walOfDay',
          'streams',
        ] as const)
          expect(many![name] / one![name] / times).toBeCloseTo(1, 9)
        expect(one!.processes).toBeGreaterThanOrEqual(Math.max(1, one!.serviceCores))
        expect(one!.processes * room.streamsOfProcess).toBeGreaterThanOrEqual(one!.streams)
        const doubled = reckon(wallets, { ...habits, peak: habits.peak * 2 }, cost, room)
        expect(doubled.postgresCores / one!.postgresCores).toBeCloseTo(2, 9)
        expect(doubled.diskOfYear).toBe(one!.diskOfYear)
        const fuller = reckon(wallets, habits, cost, { ...room, load: room.load / 2 })
        expect(fuller.serviceCores / one!.serviceCores).toBeCloseTo(2, 9)
      },
    ),
  )
})

test('what was reckoned earlier comes out again from its own costs', () => {
  const cost = { postgres: 0.09, service: 0.044, diskOfMessage: 600, wal: 40 * 1900 }
  for (const [wallets, postgres, service, disk] of reckonedEarlier) {
    const needs = reckon(wallets, habits, cost, room)
    expect(needs.postgresCores / postgres).toBeGreaterThan(0.95)
    expect(needs.postgresCores / postgres).toBeLessThan(1.1)
    expect(Math.abs(needs.serviceCores - service)).toBeLessThan(Math.max(0.1, service * 0.03))
    expect(Math.abs(needs.diskOfYear / disk - 1)).toBeLessThan(0.03)
  }
})

test('the cost of a day is that of as many days as were played', () => {
  fc.assert(
    fc.property(some, some, fc.integer({ min: 1, max: 100_000 }), (postgres, service, wanted) => {
      const cpu = { postgres, service, generator: 1, others: 1 }
      const step = { played: { wanted }, usage: { cpu, wal: 1000 } } as Parameters<typeof costOf>[0]
      const cost = costOf(step, habits, { messages: 10, tables: { direct_messages: 6000, events: 100 } })
      const days = wanted / actionsOf(habits)
      expect((cost.postgres * days) / postgres).toBeCloseTo(1, 9)
      expect((cost.service * days) / service).toBeCloseTo(1, 9)
      expect(cost.diskOfMessage).toBe(600)
    }),
  )
})

test('the first part that is full is named', () => {
  const bounds: Bounds = { cores: 4, processes: 1, connections: 16, wait: 1000 }
  const cores = { service: 0.5, postgres: 1, simulator: 0.2, others: 0.3 }
  const use: Use = {
    wanted: 100,
    done: 100,
    refused: 0,
    failed: 0,
    p99: 20,
    cores,
    disk: 0.2,
    connections: 3,
  }
  expect(isTooMuch(use, bounds)).toBe(false)
  for (const worse of [{ done: 90 }, { refused: 0.02 }, { failed: 0.02 }, { p99: 1001 }])
    expect(isTooMuch({ ...use, ...worse }, bounds)).toBe(true)
  const named = (change: Partial<Use>) => firstFull({ ...use, ...change }, bounds)
  expect(named({ refused: 0.02 })).toContain('limits')
  expect(named({ failed: 0.02 })).toContain('no success')
  expect(named({ cores: { ...cores, service: 0.95, postgres: 2.5 } })).toContain('event loop')
  expect(named({ cores: { ...cores, postgres: 2.9 } })).toContain(
    'PostgreSQL 74 %, the service 13 %, the simulator 5 %, others 8 %',
  )
  expect(named({ disk: 0.95 })).toBe('the disk')
  expect(named({ connections: 15 })).toBe('connections to the database')
  expect(named({})).toContain('none of these')
})

test('waits count from when a request was due, and refusals are no success', async () => {
  const port = await freePort()
  const answers = [200, 429, 500]
  let asked = 0
  const server = createServer((_request, response) => {
    const status = answers[asked++ % answers.length]!
    setTimeout(() => response.writeHead(status, { 'content-length': 0 }).end(), 300)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  try {
    const bytes = Buffer.from(`GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`)
    // 128 connections answer 427 requests a second: the others wait.
    const next = async () => [{ kind: 'x', bytes }]
    const played = await play({ port, perSecond: 1000, seconds: 1, random: randomOf(1), next })
    expect(played.wanted).toBeGreaterThan(850)
    expect(played.done).toBeLessThan(played.wanted * 0.6)
    expect(played.all.p99).toBeGreaterThan(900)
    const succeeded = played.kinds['x']!.count
    expect(succeeded + played.refused + played.failed['500']!).toBe(played.requests)
    expect(played.requests + played.missing).toBe(played.wanted)
    expect(played.refused / played.requests).toBeCloseTo(1 / 3, 1)
  } finally {
    server.close()
  }
})

test('connections that the service closes when they are idle are no failures, those with a request under way are', async () => {
  const port = await freePort()
  const server = createServer(
    (_request, response) => void response.writeHead(200, { 'content-length': 0 }).end(),
  )
  server.keepAliveTimeout = 1
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const bytes = Buffer.from(`GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`)
  const next = async () => [{ kind: 'x', bytes }]
  const plan = { port, perSecond: 2, seconds: 3, next }
  try {
    const played = await play({ ...plan, random: randomOf(1) })
    expect(played.done).toBeGreaterThan(2)
    expect(played).toMatchObject({ done: played.wanted, failed: {} })
    server.removeAllListeners('request').on('request', (request) => request.socket.destroy())
    const broken = await play({ ...plan, random: randomOf(1) })
    expect(broken).toMatchObject({ done: broken.wanted, failed: { broken: broken.wanted }, kinds: {} })
  } finally {
    server.close()
  }
})

test('a wrong option says what a right one is', () => {
  expect(() => choiceOf('--wallets', '-5')).toThrow()
  expect(() => choiceOf('--load=2')).toThrow('--load: part of a core')
  expect(() => choiceOf('--nonsense=1')).toThrow('nonsense')
  expect(choiceOf('--wallets', '1e5').wallets).toBe(100_000)
  expect(readChoice(['--help'])).toBe('help')
})

test('a simulation of seconds: every action succeeds, and hardware is reckoned from what it cost', async () => {
  const args = [
    '--minutes=0.1',
    '--sample=40',
    '--days=0.1',
    '--wallets=123456',
    '--from=50',
    '--factor=3',
    '--instances=2',
  ]
  const { json: _json, ...choice } = choiceOf(...args)
  const options = { ...choice, databaseUrl: serverUrl(), onStatus: () => {} }
  const found = await simulate(options)
  expect(found.alone.map(({ action }) => action)).toEqual([...actions])
  for (const { action, waits } of found.alone) expect(waits.count, action).toBeGreaterThan(0)
  expect(found.steps.length).toBeGreaterThan(1)
  const [step] = found.steps
  expect(step!.tooMuch).toBe(false)
  for (const { played } of found.steps) expect(played.failed).toEqual({})
  expect(Object.keys(step!.played.kinds).toSorted()).toEqual(['inbox', 'mark', 'open', 'send', 'unread'])
  expect(found.steps.reduce((sum, { received }) => sum + received, 0)).toBeGreaterThan(0)
  // The history by itself is the sample's messages of a tenth of a day.
  expect(found.history.messages).toBe(40 * perDay(habits).send * 0.1)
  expect(found.cost.diskOfMessage).toBeGreaterThan(0)
  expect(found.cost.wal).toBeGreaterThan(0)
  expect(found.bounds.processes).toBe(2)
  // The process that hands out connections uses next to nothing by itself.
  if (process.platform === 'linux') expect(found.alone[0]!.service).toBeGreaterThan(50)
  const text = [
    ...report.assumptions(options, found),
    ...report.findings(found, options),
    report.needsTable(found, options),
    report.aloneTable(found),
    report.stepsTable(found),
    report.waitsTable(found),
  ].join('\n')
  expect(text).toContain('123,456 wallets are active on a day')
  expect(text).toContain('| 123,456 ')
  expect(text).not.toContain('NaN')
}, 120_000)
