// These are a wallet that writes spam, one that reports it, and an operator.

import type { Client } from '@parley/sdk'
import { addOperator } from './moderators.ts'
import { newWallet, type Service, startService } from '../service/service.ts'

export const person = async (service: Service, address = newWallet()) => ({
  address,
  client: await service.as(address),
})
export type Person = Awaited<ReturnType<typeof person>>

/** Starts a spammer, a wallet that it has written to, and an operator. */
export async function spammed(settings = {}) {
  const service = await startService(settings)
  const [spammer, victim, operator] = [await person(service), await person(service), await person(service)]
  await addOperator(service, operator.address)
  const [message] = await write(spammer, victim, 'buy my coin')
  const query = async () => operator.client.listReports({})
  return {
    service,
    spammer,
    victim,
    operator,
    query,
    id: message!.id,
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}

export const write = (from: Person, to: Person, message: string, more = {}) =>
  from.client.sendDirectMessage({ body: { fromaddr: from.address, toaddr: to.address, message, ...more } })

export const report = (client: Client, body: object) =>
  client.createReport({ body: { reason: 'spam', ...body } })
