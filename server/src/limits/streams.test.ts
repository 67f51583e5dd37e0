import { EventEmitter } from 'node:events'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { openStreams } from '../telemetry/metrics.ts'
import { countUnlimited } from './streams.ts'

test('without limits open event streams are counted too, and none is refused', async () => {
  const count = async () => (await openStreams.get()).values[0]?.value ?? 0
  const before = await count()
  const connections = Array.from({ length: 200 }, () =>
    Object.assign(new EventEmitter(), { destroyed: false }),
  )
  for (const raw of connections)
    countUnlimited('0xa', {} as FastifyRequest, { raw } as unknown as FastifyReply)
  expect(await count()).toBe(before + 200)
  for (const raw of connections) raw.emit('close')
  expect(await count()).toBe(before)
})
