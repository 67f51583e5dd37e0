import { expect, test } from 'vitest'
import { useService } from '../../testing/service/service.ts'

const metricsToken = 'a-token-for-metrics-that-is-long-enough'

const service = useService({ metricsToken })
const without = useService({ beside: service })

test('metrics are shown to whoever has the token, by the patterns of routes and never their values', async () => {
  await service.anonymous.getNonce({ address: 'recognisable' })
  const metrics = (authorization?: string) =>
    service.app.inject({ url: '/metrics', headers: { ...(authorization && { authorization }) } })
  const answer = await metrics(`Bearer ${metricsToken}`)
  expect(answer.headers['content-type']).toMatch(/^text\/plain/)
  expect(answer.body).toMatch(
    /parley_request_seconds_count\{method="GET",route="\/users\/:address\/nonce",status="200"\} [1-9]/,
  )
  expect(answer.body).toContain('nodejs_eventloop_lag_seconds')
  expect(answer.body).not.toContain('recognisable')
  for (const wrong of [undefined, 'Bearer x', `Basic ${metricsToken}`])
    expect((await metrics(wrong)).statusCode).toBe(401)
})

test('without a token set there are none', async () => {
  expect((await without.app.inject('/metrics')).statusCode).toBe(404)
})
