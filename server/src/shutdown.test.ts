import { setTimeout as sleep } from 'node:timers/promises'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { freePort } from '../../testing/service/ports.ts'
import { closeInTime } from './shutdown.ts'

/** Closes a service while a request of `milliseconds` is under way, and returns its response and how long the closing took. */
async function closeDuring(milliseconds: number, seconds: number) {
  const app = fastify()
  const begun = Promise.withResolvers<void>()
  app.get('/', async () => {
    begun.resolve()
    await sleep(milliseconds)
    return 'done'
  })
  const url = await app.listen({ port: await freePort(), host: '127.0.0.1' })
  const response = fetch(url).then(
    (answer) => answer.text(),
    () => 'cut off',
  )
  await begun.promise
  const start = performance.now()
  await closeInTime(app, seconds)
  return { response: await response, took: performance.now() - start }
}

test('the connection of a request that ends meanwhile is closed, though its client would use it again', async () => {
  const { response, took } = await closeDuring(300, 20)
  expect(response).toBe('done')
  expect(took).toBeLessThan(5_000)
})

test('a request that lasts longer than the limit is cut off', async () => {
  const { response, took } = await closeDuring(10_000, 1)
  expect(response).toBe('cut off')
  expect(took).toBeLessThan(5_000)
})
