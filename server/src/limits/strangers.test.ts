import { EventEmitter } from 'node:events'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { expect, test, vi } from 'vitest'
import { newWallet, startService } from '../../../testing/service/service.ts'

test('two visitors without a sign-in read at once, others wait for them; a wallet waits for none of them', async () => {
  await using service = await startService({ rateLimits: true })
  const begun: string[] = []
  const ended = Promise.withResolvers<void>()
  const read = (caller: string, network: string, until: Promise<void> | undefined) => {
    const request = { who: { caller, network, site: undefined } } as FastifyRequest
    const reply = { raw: new EventEmitter() } as unknown as FastifyReply
    return service.ctx.limits.shareOf(request, reply).long.transaction(async (tx) => {
      begun.push(caller)
      await tx.query('select 1 as one')
      await until
    })
  }
  const visitors = ['192.0.2.1', '192.0.2.2', '192.0.2.3']
  const reading = visitors.map((network) => read(network, network, ended.promise))
  const wallet = newWallet()
  await read(wallet, '192.0.2.1', undefined)
  // Each has a connection of its own, and that of a visitor may open later than that of the wallet.
  await vi.waitFor(() => expect(begun).toHaveLength(3), 10_000)
  expect(begun.toSorted()).toEqual([...visitors.slice(0, 2), wallet].toSorted())
  ended.resolve()
  await Promise.all(reading)
  expect(begun).toHaveLength(4)
})
