// A receiver is a server that a wallet chooses: a slow one delays only the deliveries of that wallet.

import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { newWallet, type Service, startService } from '../../../../testing/service/service.ts'
import { startSmtp } from '../../../../testing/outside/smtp.ts'
import { timeUntil } from '../../../../testing/service/log.ts'
import { startReceiver } from '../../../../testing/outside/webhook-receiver.ts'
import { tasks } from '../../background.ts'
import { deleteEmptyQueues } from '../../jobs/queue.ts'
import { startJobs } from '../../jobs/runner.ts'

/** Makes a wallet with webhooks, each of which gets a number of events. */
async function newBusy(service: Service, host: string, hooks: number, events: number) {
  const client = await service.as(newWallet())
  for (let n = 0; n < hooks; n++) {
    const [hook] = await client.createWebhook({
      body: { url: `http://${host}/x`, events: ['message.direct'] },
    })
    for (let event = 0; event < events; event++) {
      await client.testWebhook({ session: hook!.id })
      // Tests within one millisecond are one.
      await sleep(2)
    }
  }
}

test("one wallet's slow receiver delays neither mails nor the webhooks of others", async () => {
  await using smtp = await startSmtp()
  await using fast = await startReceiver()
  await using slow = await startReceiver()
  const privateWebhookHosts = [slow.host, fast.host]
  await using service = await startService({ privateWebhookHosts, smtpUrl: smtp.url })
  const state = { open: 0, most: 0 }
  const ends = new Set<() => void>()
  slow.answerBy(() => (response) => {
    state.most = Math.max(state.most, ++state.open)
    const end = () => {
      if (!ends.delete(end)) return
      state.open--
      response.writeHead(204).end()
    }
    ends.add(end)
    setTimeout(end, 14_000).unref()
  })
  await newBusy(service, slow.host, 5, 8)
  await using _jobs = startJobs(service.ctx, service.databaseUrl, { tasks, crontab: [] })
  await vi.waitFor(() => expect(state.open).toBe(1), { timeout: 10_000 })

  const other = newWallet()
  await (await service.as(other)).updateSettings({ body: { walletaddr: other, email: 'bob@example.org' } })
  await vi.waitFor(() => expect(smtp.inbox).toHaveLength(1), { timeout: 5_000 })
  await newBusy(service, fast.host, 1, 5)
  await vi.waitFor(() => expect(fast.received).toHaveLength(5), { timeout: 5_000 })
  expect(slow.received).toHaveLength(1)

  // Its other webhooks have their turns, one after the other.
  for (let turn = 2; turn <= 6; turn++) {
    // This is longer than a job begins another delivery.
    await sleep(1_100)
    ends.forEach((end) => end())
    await vi.waitFor(() => expect(slow.received).toHaveLength(turn), { timeout: 7_000 })
  }
  expect(state.most).toBe(1)
  const hooks = new Set(slow.received.map(({ headers }) => headers['webhook-id']!.slice(4, 20)))
  expect(hooks.size).toBe(5)
  slow.answerBy(() => 204)
  ends.forEach((end) => end())
})

/** Starts a receiver whose calls last for 14 s, until a test ends them. */
async function startSlow() {
  const slow = await startReceiver()
  const ends = new AbortController()
  slow.answerBy(() => (response) => {
    const end = () => void (response.headersSent || response.writeHead(204).end())
    if (ends.signal.aborted) end()
    else {
      ends.signal.addEventListener('abort', end, { once: true })
      setTimeout(end, 14_000).unref()
    }
  })
  return Object.assign(slow, { endAll: () => ends.abort() })
}

// More would take too long here: of 100 such wallets 48 calls begin at once, and 24 more in each second.
test.each([8, 40])(
  'while the servers of %i wallets with five webhooks each answer after 14 s, others wait for nothing',
  { timeout: 120_000 },
  async (wallets) => {
    await using smtp = await startSmtp()
    await using fast = await startReceiver()
    await using slow = await startSlow()
    await using service = await startService({
      privateWebhookHosts: [slow.host, fast.host],
      smtpUrl: smtp.url,
      rateLimits: false,
    })
    const bystander = await service.as(newWallet())
    const body = { url: `http://${fast.host}/x`, events: ['message.direct' as const] }
    const [hook] = await bystander.createWebhook({ body })
    let round = 0
    /** Returns the milliseconds until a webhook and a mail have arrived. */
    async function goOn(): Promise<number> {
      fast.received.length = 0
      smtp.inbox.length = 0
      await bystander.testWebhook({ session: hook!.id })
      const webhook = await timeUntil(`webhook ${round}`, () => fast.received.length === 1)
      const mailed = newWallet()
      const other = await service.as(mailed)
      await other.updateSettings({ body: { walletaddr: mailed, email: `bob${round++}@example.org` } })
      return Math.max(webhook, await timeUntil(`mail ${round}`, () => smtp.inbox.length === 1))
    }
    let alone: number
    {
      await using _jobs = startJobs(service.ctx, service.databaseUrl, { tasks, crontab: [] })
      alone = await goOn()
    }
    for (let n = 0; n < wallets; n++) await newBusy(service, slow.host, 5, 1)
    await using _jobs = startJobs(service.ctx, service.databaseUrl, { tasks, crontab: [] })
    await vi.waitFor(() => expect(slow.received.length).toBeGreaterThan(0), { timeout: 10_000 })
    const times: number[] = []
    for (let n = 0; n < 5; n++) {
      times.push(await goOn())
      await sleep(400)
    }
    // This is the median: the machine that tests this may be busy for a moment.
    expect(times.toSorted((one, next) => one - next)[2]).toBeLessThan(alone + 2_000)
    expect(Math.max(...times)).toBeLessThan(alone + 6_000)
    // Each of the slow ones goes on, one call at a time.
    expect(slow.received.length).toBeGreaterThanOrEqual(wallets)
    slow.endAll()
  },
)

test('a queue has no address in its name, and is deleted once no job waits in it', async () => {
  await using receiver = await startReceiver()
  await using service = await startService({ privateWebhookHosts: [receiver.host] })
  const queues = () =>
    service.ctx.db.query<{ queue_name: string }>('select queue_name from graphile_worker._private_job_queues')
  await newBusy(service, receiver.host, 2, 1)
  await deleteEmptyQueues(service.ctx.db)
  expect(await queues()).toEqual([{ queue_name: expect.stringMatching(/^webhook [0-9a-f]{32}$/) }])
  await service.runJobs()
  expect(receiver.received).toHaveLength(2)
  await deleteEmptyQueues(service.ctx.db)
  expect(await queues()).toEqual([])
  await newBusy(service, receiver.host, 1, 1)
  await service.runJobs()
  expect(receiver.received).toHaveLength(3)
})
