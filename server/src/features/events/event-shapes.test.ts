// Every event that the contract knows, caused over the interface, has the shape that the contract gives it.

import { ServiceEvent } from '@parley/sdk/contract/events.ts'
import type { NewChatItem } from '@parley/sdk/contract/direct-messages.ts'
import { expect, test } from 'vitest'
import { addOperator } from '../../../../testing/people/moderators.ts'
import { codeFor } from '../../../../testing/people/moving-here.ts'
import { listenTo } from '../../../../testing/service/event-listener.ts'
import { newName, newWallet, useService } from '../../../../testing/service/service.ts'
import { compileValidation } from '../../http/validation.ts'
import { eventJson } from '../../messages/events.ts'

const service = useService()

const punks = '0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb'

/** Returns an event without what the contract does not know; fails when it is not valid. */
function validated(event: ServiceEvent): unknown {
  const body = ServiceEvent.anyOf.find(({ properties }) => properties.type.const === event.type)!
  const values = { params: {}, query: {}, body: structuredClone(event) }
  compileValidation({ method: 'POST', path: '/', summary: '', access: 'public', body })(values)
  return values.body
}

test('every type of event is delivered exactly as the contract says', async () => {
  const [alice, bob] = [newWallet(), newWallet()]
  const [asAlice, asBob] = [await service.as(alice), await service.as(bob)]
  await using stream = await listenTo(service, bob)
  // What is deleted before the log is polled is no event.
  const delivered = async <T extends { id: number }>(items: T[]): Promise<T> => {
    const [item] = items
    await expect
      .poll(() => stream.events().some((event) => 'item' in event && event.item.id === item!.id))
      .toBe(true)
    return item!
  }

  const bookmark = { walletaddr: bob, nftaddr: punks }
  const ends = { fromaddr: alice, toaddr: bob }
  await asBob.joinChat({ body: bookmark })
  const about = { nftaddr: punks, nftid: '7' }
  const send = async (body: Omit<NewChatItem, 'fromaddr' | 'toaddr'>) =>
    delivered(await asAlice.sendDirectMessage({ body: { ...ends, ...body } }))
  const sent = await send({ message: 'gm', ...about, encrypted_sym_x_key: 'k', x_access_conditions: 'c' })
  const post = await delivered(
    await asAlice.postGroupMessage({ body: { fromaddr: alice, nftaddr: punks, message: 'gm' } }),
  )
  await asAlice.removePost({ nftaddr: punks, id: post.id })
  await asBob.listGroupMessages({ address: punks, useraddress: bob })
  await asAlice.sendTyping({ body: ends })
  await asBob.markDirectMessage({ ...ends, body: { ...sent, read: true } })
  await asBob.markDirectMessage({ ...ends, body: { ...sent, read: false } })
  await asBob.markReadTo({ addr: alice, body: { id: sent.id, context_type: 'dm', ...about } })
  await asAlice.editMessage({ id: sent.id, body: { ...sent, message: 'good morning', revision: 0 } })
  await asBob.setContact({ peer: alice, body: { state: 'accepted' } })
  for (const client of [asAlice, asBob])
    await client.react({ id: sent.id, body: { values: ['sealed'.repeat(9)] } })
  await asBob.pinMessage({ id: sent.id })
  await asBob.unpinMessage({ id: sent.id })
  await stream.receives(15)
  await asAlice.deleteDirectMessage({ id: sent.id })
  await send({ message: 'gm' })
  await asAlice.deleteConversation(ends)
  const one = await send({ message: 'one' })
  await send({ message: 'two' })
  await asBob.hideMessage({ id: one.id })
  await asBob.hideConversation({ toaddr: alice })
  await asBob.setContact({ peer: alice, body: { alias: 'Ann', muted_until: 'forever' } })
  await asBob.leaveChat({ body: bookmark })
  const town = newName('Town')
  await asAlice.createCommunity({ body: { community: town } })
  await asBob.joinChat({ body: { walletaddr: bob, nftaddr: town } })
  await asAlice.createRoom({ community: town, body: { room: 'tools' } })
  await addOperator(service, alice)
  await asAlice.addOfficial({ walletaddr: newWallet(), body: { label: 'Support' } })
  await asAlice.act({ body: { action: 'warn', subject: bob, reason: 'a test' } })
  await asBob.claimImported({ body: { code: await codeFor(service.ctx.db, 'discord:1') } })
  // A post that waits for an erased wallet is erased with it.
  await stream.receives(29)
  await asBob.eraseAccount({ address: bob })
  await stream.ends()

  for (const event of stream.events()) expect(validated(event)).toEqual(event)
  const types = ServiceEvent.anyOf.map(({ properties }) => properties.type.const)
  expect(new Set(stream.events().map(({ type }) => type))).toEqual(new Set(types))
  const changes = stream.events().flatMap((event) => ('change' in event ? [event.change] : []))
  expect(new Set(changes)).toEqual(new Set(['joined', 'entered', 'left', 'erased']))
})

test('an event of another shape than the contract gives it does not compile', () => {
  // @ts-expect-error: there is no such type
  eventJson({ type: 'red' })
  // @ts-expect-error: a field is missing
  eventJson({ type: 'deleted', id: 1, fromaddr: 'a' })
  // @ts-expect-error: a field is unknown
  eventJson({ type: 'conversation-deleted', fromaddr: 'a', toaddr: 'b', at: 'now' })
  // @ts-expect-error: there is no such change
  eventJson({ type: 'inbox', change: 'gone' })
  // @ts-expect-error: it is never stored
  eventJson({ type: 'typing', fromaddr: 'a' })
})
