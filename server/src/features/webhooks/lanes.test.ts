// A receiver is a server that a wallet chooses: one that is slow delays nothing but what that wallet is told.

import { setTimeout as sleep } from 'node:timers/promises'
import { parseCronItems } from 'graphile-worker'
import { expect, test, vi } from 'vitest'
import { newWallet, type Service, startService } from '../../../../testing/service.ts'
import { startSmtp } from '../../../../testing/smtp.ts'
import { startReceiver } from '../../../../testing/webhook-receiver.ts'
import { tasks } from '../../background.ts'
import { deleteEmptyQueues } from '../../jobs/queue.ts'
import { startJobs } from '../../jobs/runner.ts'

/** A wallet with webhooks, each of which is told of so many events. */
async function newBusy(service: Service, host: string, hooks: number, events: number) {
  const client = await service.as(newWallet())
  for (let n = 0; n < hooks; n++) {
    const [hook] = await client.createWebhook({
      body: { url: `http://${host}/x`, events: ['message.direct'] },
    })
    for (let event = 0; event < events; event++) {
      await client.testWebhook({ session: hook!.id })
      // Tests of one millisecond are one.
      await sleep(2)
    }
  }
}

test(
  "one wallet's slow receiver delays neither mails nor the webhooks of others",
  { timeout: 60_000 },
  async () => {
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
    await using _jobs = startJobs(service.ctx, service.databaseUrl, { tasks, crontab: parseCronItems([]) })
    await vi.waitFor(() => expect(state.open).toBe(1), { timeout: 10_000 })

    const other = newWallet()
    const began = Date.now()
    await (await service.as(other)).updateSettings({ body: { walletaddr: other, email: 'bob@example.org' } })
    await vi.waitFor(() => expect(smtp.inbox).toHaveLength(1), { timeout: 2_000 })
    await newBusy(service, fast.host, 1, 5)
    await vi.waitFor(() => expect(fast.received).toHaveLength(5), { timeout: 6_000 })
    expect(Date.now() - began).toBeLessThan(9_000)
    expect(slow.received).toHaveLength(1)

    // Its other webhooks have their turns, one after the other.
    for (let turn = 2; turn <= 6; turn++) {
      // Longer than a job begins another delivery.
      await sleep(1_100)
      ends.forEach((end) => end())
      await vi.waitFor(() => expect(slow.received).toHaveLength(turn), { timeout: 7_000 })
    }
    expect(state.most).toBe(1)
    const hooks = new Set(slow.received.map(({ headers }) => headers['webhook-id']!.slice(4, 20)))
    expect(hooks.size).toBe(5)
    slow.answerBy(() => 204)
    ends.forEach((end) => end())
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
