// One request leaves the event loop free for others, whatever its texts are made of: for every string of every endpoint, the
// longest text that is valid, and the longest that is read at all.

import type { Endpoint } from '@parley/sdk/contract/endpoint.ts'
import { contract } from '@parley/sdk/contract/index.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newHookOf } from '../../testing/people/secrets.ts'
import { longTexts } from '../../testing/cases/longest-texts.ts'
import { addOperator } from '../../testing/people/moderators.ts'
import { newToken, newWallet, useService } from '../../testing/service/service.ts'
import { startSmtp } from '../../testing/outside/smtp.ts'
import { settingsOfAll } from '../../testing/service/whole-service.ts'
import { startTelegram } from '../../testing/outside/telegram-api.ts'

const all = Object.entries<Endpoint>(contract)
/** Milliseconds of work that others wait for. */
const most = 25
/** The lowest of some runs counts: a pause of the collector, or of the machine, is not the cost of a text. */
const runs = 6

const operator = newWallet()
const stack = new AsyncDisposableStack()
let settings: ReturnType<typeof settingsOfAll>
beforeAll(async () => {
  settings = settingsOfAll({ smtp: stack.use(await startSmtp()), telegram: stack.use(await startTelegram()) })
})
afterAll(() => stack.disposeAsync())
const service = useService(() => settings)
beforeAll(async () => {
  await addOperator(service, operator)
  const client = await service.as(operator)
  await client.createCommunity({ body: { community: 'Town', social: [] } })
  await client.joinChat({ body: { walletaddr: operator, nftaddr: 'Town' } })
  await client.setChatRules({ nftaddr: 'Town', body: { words: ['airdrop', 'wallet'] } })
})

/** The most time that this process worked in one turn of the event loop while a request was served, in milliseconds. */
async function blockedBy(request: () => Promise<unknown>): Promise<number> {
  let [longest, isOver] = [0, false]
  // Not the time of a clock: other processes have the processors too.
  let last = process.cpuUsage()
  const look = () => {
    const { user, system } = process.cpuUsage(last)
    longest = Math.max(longest, (user + system) / 1000)
    last = process.cpuUsage()
    if (!isOver) setImmediate(look)
  }
  setImmediate(look)
  await request()
  isOver = true
  look()
  return longest
}

test.each(all.filter(([, { path, body, query }]) => path.includes('{') || body || query))(
  '%s',
  { timeout: 300_000 },
  async (_, endpoint) => {
    const hook = endpoint.byHook && (await newHookOf(service, operator, 'Town'))
    const self = new Set<string>([endpoint.self ?? []].flat())
    const valueOf = (name: string) =>
      self.has(name)
        ? operator
        : name === 'secret'
          ? hook
          : name === 'nftaddr' || name === 'community'
            ? 'Town'
            : undefined
    const authorization = `Bearer ${await newToken(service.ctx, operator)}`
    const slow: string[] = []
    for (const { of, url, payload } of longTexts(endpoint, valueOf)) {
      const ask = () =>
        service.app.inject({
          method: endpoint.produces === 'text/event-stream' ? 'HEAD' : endpoint.method,
          url,
          headers: { authorization, ...(payload !== undefined && { 'content-type': 'application/json' }) },
          ...(payload !== undefined && { payload }),
        })
      let took = await blockedBy(ask)
      for (let run = 1; run < runs && took > most; run++) took = Math.min(took, await blockedBy(ask))
      if (took > most) slow.push(`${of}: ${took.toFixed()} ms, ${(await ask()).statusCode}`)
    }
    expect(slow).toEqual([])
  },
)
