// Who leaves before their turn costs nothing more.

import { EventEmitter } from 'node:events'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import type { Db } from '../db/pool.ts'
import { startService } from '../../../testing/service/service.ts'
import { createShares } from './long-reads.ts'

const who = { caller: 'alice', network: '192.0.2.1', site: undefined }
const request = { who, headers: {} } as FastifyRequest
/** Makes a response whose connection can be closed. */
const newReply = () => {
  const raw = Object.assign(new EventEmitter(), { closed: false })
  const close = () => raw.emit('close', (raw.closed = true))
  return { reply: { raw } as unknown as FastifyReply, close }
}
const left = { code: 'unavailable', message: 'The connection was closed.' }

test('a request whose reader leaves while it waits for its turn does not begin', async () => {
  await using service = await startService({ rateLimits: true, requestsAtOnce: 1 })
  const { limits } = service.ctx
  const [first, second, third] = [newReply(), newReply(), newReply()]
  void limits.begin(request, first.reply)
  const waiting = [second, third].map(async ({ reply }) => limits.begin(request, reply))
  second.close()
  first.close()
  await expect(waiting[0]).rejects.toMatchObject(left)
  await expect(waiting[1]).resolves.toBeUndefined()
})

test('a long read whose reader leaves while it waits for its turn reads nothing', async () => {
  const read: string[] = []
  const first = Promise.withResolvers<[]>()
  const query = (sql: string) => {
    read.push(sql)
    return read.length === 1 ? first.promise : Promise.resolve([])
  }
  const shareOf = createShares({ long: { query } } as unknown as Db)
  const [one, other] = [newReply(), newReply()]
  const reading = [one, other].map(({ reply }, n) => shareOf(request, reply).long.query(`read ${n}`))
  await expect.poll(() => read).toEqual(['read 0'])
  other.close()
  first.resolve([])
  await reading[0]
  await expect(reading[1]).rejects.toMatchObject(left)
  expect(read).toEqual(['read 0'])
})
