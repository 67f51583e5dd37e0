// These tests read the counters as a scraper does. Other tests of this process count too, so numbers are compared with those
// before.

import { expect, test } from 'vitest'
import { newWallet, useService } from '../../../testing/service/service.ts'

const metricsToken = 'a-token-for-metrics-that-is-long-enough'

const service = useService({
  metricsToken,
  rateLimits: true,
  accountLimit: { burst: 1, perSecond: 0.01 },
})

test('a scraper that accepts OpenMetrics gets the request id of a request that took so long', async () => {
  const answer = await service.app.inject('/v1/get_inbox/0x00000000000000000000000000000000000000aa')
  const scrape = (accept: string) =>
    service.app.inject({ url: '/metrics', headers: { authorization: `Bearer ${metricsToken}`, accept } })
  const open = await scrape('application/openmetrics-text; version=1.0.0, text/plain;q=0.5')
  expect(open.headers['content-type']).toContain('application/openmetrics-text')
  expect(open.body).toMatch(/# EOF\n$/)
  const exemplars = open.body.split('\n').filter((line) => line.includes('route="/v1/get_inbox/:address"'))
  expect(exemplars.join('\n')).toContain(`# {request_id="${answer.json().request_id}"}`)
  const plain = await scrape('text/plain')
  expect(plain.headers['content-type']).toContain('text/plain')
  expect(plain.body).not.toContain('request_id')
  expect(plain.body).toContain('parley_problems_total{code="unauthorized"}')
})

test('batches, jobs, refusals by limit and the readers of the log are counted', async () => {
  const read = async (line: string) => {
    const headers = { authorization: `Bearer ${metricsToken}` }
    const { body } = await service.app.inject({ url: '/metrics', headers })
    return Number(
      body
        .split('\n')
        .find((one) => one.startsWith(`${line} `))
        ?.split(' ')[1] ?? 0,
    )
  }
  const lines = [
    'parley_batch_items_count{batch="direct-messages"}',
    'parley_limit_refusals_total{limit="account"}',
    'parley_job_seconds_count{task="send-verification-email",outcome="done"}',
  ] as const
  const before = await Promise.all(lines.map(read))
  const [alice, bob] = [newWallet(), newWallet()]
  const asAlice = await service.as(alice)
  await asAlice.sendDirectMessage({ body: { fromaddr: alice, toaddr: bob, message: 'hi' } })
  await asAlice.updateSettings({ body: { walletaddr: alice, email: 'alice@example.org' } })
  await expect(asAlice.setName({ body: { address: alice, name: 'Alice' } })).rejects.toThrow('Too many')
  await service.runJobs()
  const after = await Promise.all(lines.map(read))
  for (const [i, line] of lines.entries()) expect(after[i]! - before[i]!, line).toBeGreaterThanOrEqual(1)
  expect(await read('parley_log_reader_behind_seconds{reader="dm-mails"}')).toBeGreaterThanOrEqual(0)
})
