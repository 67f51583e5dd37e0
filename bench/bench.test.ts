// Checks that the benchmark reports the truth, on a history too small to say anything about speed.

import os from 'node:os'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { serverUrl } from '../testing/service/database.ts'
import { startService } from '../testing/service/service.ts'
import { bench } from './bench.ts'
import { cases } from './cases/index.ts'
import { figuresOf, spread } from './report/figures.ts'
import { loadHistory } from './data/history.ts'
import { reader } from './load/http.ts'
import { chatName, deepPair, hubsOf, layoutOf } from './data/layout.ts'
import { plot } from './report/plot.ts'
import { hottest, type Profile } from './service/profile.ts'
import { comparisonTable, costTable, kindsTable, remarks, speedTable } from './report/report.ts'

const layout = layoutOf(10_000)

test('the seeded history is as if the service had written it', async () => {
  await using service = await startService()
  await loadHistory(service.databaseUrl, layout, () => {})
  for (const rows of [20, 200, 2000] as const) {
    const address = hubsOf(rows)[0]!
    const wallet = await service.as(address)
    const inbox = await wallet.getInbox({ address })
    expect(inbox.length).toBe(rows)
    const messages = await wallet.listDirectMessages({ address })
    const unread = messages.filter((message) => message.toaddr === address && !message.read).length
    expect(await wallet.countUnreadByType({ address, type: 'dm' })).toBe(unread)
    expect(await wallet.countUnread({ address })).toBe(inbox.reduce((sum, row) => sum + row.unread, 0))
  }
  // A wallet that writes has accepted, and the first to write began it.
  const [unlike] = await service.ctx.db.query(
    `select c.a from conversations c join (
       select conversation_id, bool_or(fromaddr = a) as a_wrote, bool_or(fromaddr = b) as b_wrote, min(m.ms) as began_ms
       from direct_messages m join conversations k on k.bucket = m.bucket and k.id = m.conversation_id group by 1
     ) m on m.conversation_id = c.id
     where (c.state_a, c.state_b, c.began_ms) is distinct from (m.a_wrote::integer, m.b_wrote::integer, m.began_ms)`,
  )
  expect(unlike).toBeUndefined()
  const [chat] = await service.ctx.db.query(
    `select posted, members, (select count(*) from group_messages m where m.chat = c.chat) as messages,
       (select count(*) from bookmarks b where b.chat = c.chat) as bookmarks,
       (select sum(posted)::int from group_visits v where v.chat = c.chat) as visits
     from group_chats c where chat = $1`,
    [chatName(0)],
  )
  const { posted, members } = chat as { posted: number; members: number }
  expect(chat).toEqual({ posted, members, messages: posted, bookmarks: members, visits: posted })
  expect(members).toBeGreaterThan(layout.members)

  const [fromaddr, toaddr] = deepPair(0)
  const wallet = await service.as(fromaddr)
  const before = await wallet.listConversation({ fromaddr, toaddr })
  expect(await service.ctx.db.query('select last_value as last from item_numbers')).toEqual([
    { last: layout.size },
  ])
  const [sent] = await wallet.sendDirectMessage({ body: { fromaddr, toaddr, message: 'gm' } })
  expect(sent!.id).toBeGreaterThan(layout.size)
  expect(await wallet.listConversation({ fromaddr, toaddr })).toEqual([...before, sent])
})

test('a run has figures of the service and of its baselines, what it cost, and no failed request', async () => {
  const chosen = ['send-32', 'poll', 'mixed', 'fan-out-1000', 'upload-25m', 'download-25m']
  const profiles: unknown[] = []
  const some = cases.filter(({ name }) => chosen.includes(name))
  const { results, generator, histories } = await bench({
    cases: some,
    // A profile takes one more run.
    profiled: some.slice(0, 1),
    sizes: [layout.size],
    databaseUrl: serverUrl(),
    seconds: 0.1,
    rounds: 2,
    onStatus: () => {},
    onProfile: async (_case, profile) => void profiles.push(profile),
  })
  expect(results.map((result) => result.case)).toEqual(chosen)
  for (const result of results.filter(({ rounds }) => !rounds[0]!.sample.skipped)) {
    // Every run counts: one spoilt by a baseline or by the run before must not be hidden by the others.
    for (const { sample } of result.rounds) expect(sample.latency.count, result.case).toBeGreaterThan(0)
    const { perSecond, p50, p99, ofBaseline, ofEmptyRoute } = figuresOf(result)
    expect(perSecond.median, result.case).toBeGreaterThan(0)
    expect(p99.median).toBeGreaterThanOrEqual(p50.median)
    if (!['fan-out-1000', 'upload-25m'].includes(result.case)) expect(ofEmptyRoute.median).toBeGreaterThan(0)
    if (!['mixed', 'fan-out-1000'].includes(result.case)) expect(ofBaseline.median).toBeGreaterThan(0)
    const { cost } = result.rounds[0]!
    if (process.platform === 'linux') expect(cost.memory.service).toBeGreaterThan(10)
    // At most as many cores can have been in use as there are; the kernel's clock is coarse.
    const used = Object.values(cost.cpu).reduce((sum, seconds) => sum + (seconds || 0), 0)
    expect(used / cost.seconds, result.case).toBeLessThan(os.availableParallelism() * 1.2 + 1)
    expect(cost.loop.delay).toBeGreaterThanOrEqual(0)
    expect(cost.loop.busy).toBeGreaterThanOrEqual(0)
  }
  expect(remarks(results).filter((remark) => !remark.includes('no GET /v1/events'))).toEqual([])
  expect(generator.perSecond).toBeGreaterThan(0)
  expect(histories[0]!.megabytes).toBeGreaterThan(1)
  for (const name of ['send-32', 'poll']) {
    expect(speedTable(results)).toContain(`| ${name} `)
    expect(costTable(results)).toContain(`| ${name} `)
  }
  expect(kindsTable(results)).toMatch(/mixed: poll +\|/)
  expect(comparisonTable(results)).toBe('')
  const [spoilt] = structuredClone(results)
  spoilt!.rounds[1]!.sample.latency.count = 0
  expect(remarks([spoilt!])).toEqual([`${spoilt!.case} on ${spoilt!.service}, run 2: nothing succeeded`])
  expect(profiles).toHaveLength(1)
  expect(hottest(profiles[0] as Profile).functions.length).toBeGreaterThan(0)
}, 300_000)

test('the client finds the end of each answer, however the bytes are cut', () => {
  const head = 'HTTP/1.1 200 OK\r\nx: y\r\n'
  const sized = (body: string) => `${head}content-length: ${body.length}\r\n\r\n${body}`
  const chunked = (parts: string[]) =>
    `${head}transfer-encoding: chunked\r\n\r\n${parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join('')}0\r\n\r\n`
  const body = fc
    .string({ unit: fc.constantFrom('0', '\r', '\n', '{', 'é') })
    .map((text) => text.replaceAll('é', 'e'))
  const answer = fc.oneof(
    body.map((text) => ({ text: sized(text), bytes: text.length })),
    fc.array(body.filter(Boolean)).map((parts) => ({ text: chunked(parts), bytes: parts.join('').length })),
    fc.constant({ text: 'HTTP/1.1 204 No Content\r\nx: y\r\n\r\n', bytes: 0 }),
  )
  fc.assert(
    fc.property(fc.array(answer), fc.array(fc.nat(300)), (answers, cuts) => {
      const bytes = Buffer.from(answers.map(({ text }) => text).join(''))
      const places = [0, ...cuts.filter((cut) => cut < bytes.length).toSorted((a, b) => a - b), bytes.length]
      const found: number[] = []
      const read = reader((one) => found.push(one.bytes))
      for (const [i, place] of places.slice(1).entries()) read(bytes.subarray(places[i], place))
      expect(found).toEqual(answers.map((one) => one.bytes))
    }),
  )
})

test('medians, and a plot that stays in its frame', () => {
  expect(spread([3, 1, 2])).toEqual({ median: 2, min: 1, max: 3 })
  expect(spread([4, 1, Number.NaN, 2, 3])).toEqual({ median: 2.5, min: 1, max: 4 })
  const svg = plot({
    title: 't',
    x: 'x',
    y: 'y',
    lines: [{ name: 'a', points: [10, 1000].map((x) => ({ x, y: x / 7, low: x / 9, high: x / 5 })) }],
  })
  for (const [, x, y] of svg.matchAll(/cx="(-?\d+)" cy="(-?\d+)"/g)) {
    expect(Number(x)).toBeGreaterThan(0)
    expect(Number(x)).toBeLessThan(880)
    expect(Number(y)).toBeGreaterThan(0)
    expect(Number(y)).toBeLessThan(520)
  }
})
