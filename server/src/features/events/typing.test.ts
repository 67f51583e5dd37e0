// Who types is sent live and stored nowhere: an instance passes it on to the others by the database.

import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import { startDatabaseProxy } from '../../../../testing/service/proxies.ts'
import { chatMember } from '../../../../testing/people/chat-members.ts'
import { listenTo } from '../../../../testing/service/event-listener.ts'
import { newWallet, startService, useService } from '../../../../testing/service/service.ts'

const service = useService()
const other = useService({ beside: service })

test('typing comes live to the peer or the members on any instance, and is never stored', async () => {
  const punks = newWallet()
  const [alice, bob, carol] = [newWallet(), newWallet(), newWallet()]
  const asAlice = await service.as(alice)
  for (const wallet of [alice, carol]) await chatMember(service, punks, wallet)
  await using own = await listenTo(service, alice)
  await using peer = await listenTo(service, bob)
  await using far = await listenTo(other, bob)
  await using member = await listenTo(other, carol)
  const { lastId } = peer.state

  const toBob = { fromaddr: alice, toaddr: bob }
  for (let i = 0; i < 3; i++) expect(await asAlice.sendTyping({ body: toBob })).toBeUndefined()
  await asAlice.sendTyping({ body: { fromaddr: alice, nftaddr: punks.replaceAll('b', 'B') } })
  await asAlice.sendTyping({ body: { fromaddr: alice, toaddr: alice } })
  await Promise.all([peer.receives(1), far.receives(1), member.receives(1)])
  await sleep(100)
  expect(peer.received).toEqual([{ id: undefined, event: { type: 'typing', ...toBob } }])
  expect(far.events()).toEqual(peer.events())
  expect(member.events()).toEqual([{ type: 'typing', fromaddr: alice, nftaddr: punks }])
  expect(own.received).toEqual([])

  await using resumed = await listenTo(service, bob, { lastEventId: lastId })
  await (await service.as(carol)).sendTyping({ body: { fromaddr: carol, toaddr: bob } })
  await Promise.all([peer.receives(2), resumed.receives(1)])
  expect(resumed.events()).toEqual([{ type: 'typing', fromaddr: carol, toaddr: bob }])
})

test('an open stream misses no typing, however slowly its instance begins to listen', async () => {
  await using proxy = await startDatabaseProxy(service.databaseUrl, { slow: 'parley events' })
  await using slow = await startService({ beside: { databaseUrl: proxy.url } })
  const [alice, bob] = [newWallet(), newWallet()]
  await using stream = await listenTo(slow, bob)
  const typing = { fromaddr: alice, toaddr: bob }
  await (await service.as(alice)).sendTyping({ body: typing })
  await stream.receives(1, 2_000)
  expect(stream.events()).toEqual([{ type: 'typing', ...typing }])
})

test('nobody types as another wallet, into a chat it has not joined, or nowhere', async () => {
  const punks = newWallet()
  const [alice, bob] = [newWallet(), newWallet()]
  const asAlice = await service.as(alice)
  const refused = (body: { fromaddr: string; toaddr?: string; nftaddr?: string }, code: string) =>
    expect(asAlice.sendTyping({ body })).rejects.toMatchObject({ code })
  await refused({ fromaddr: bob, toaddr: alice }, 'forbidden')
  await refused({ fromaddr: alice, nftaddr: punks }, 'forbidden')
  await refused({ fromaddr: alice }, 'bad_request')
  await refused({ fromaddr: alice, toaddr: bob, nftaddr: punks }, 'bad_request')
  await refused({ fromaddr: alice, toaddr: 'a b' }, 'bad_request')
})

test('notifications of other users of the database do not make an instance send nonsense', async () => {
  const alice = newWallet()
  const client = new pg.Client({ connectionString: service.databaseUrl })
  // Should the test end early, its database is dropped with this connection open.
  client.on('error', () => {})
  await client.connect()
  await using stream = await listenTo(service, alice)
  const notify = (payload: unknown) =>
    client.query('select pg_notify($1, $2)', [
      'parley_events',
      typeof payload === 'string' ? payload : JSON.stringify(payload),
    ])
  const good = { fromaddr: 'someone', toaddr: alice }
  // The instance listens before its first stream opens.
  await notify([good])
  await stream.receives(1)
  for (const bad of ['{', 'null', '[', [null], [{ ...good, extra: 1 }], [{ toaddr: alice }]])
    await notify(bad)
  for (const bad of [
    [{ ...good, fromaddr: 1 }],
    [{ ...good, nftaddr: 'x' }],
    [{ ...good, fromaddr: 'a\nb' }],
  ])
    await notify(bad)
  await client.end()
  await sleep(100)
  expect(stream.received.length).toBe(1)
  const body = { fromaddr: alice, toaddr: alice, message: 'still here' }
  await (await service.as(alice)).sendDirectMessage({ body })
  await stream.receives(2)
})
