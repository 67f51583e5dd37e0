import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { newWallet, type Service, startService } from '../../../testing/service/service.ts'
import { signedInLongAgo } from '../../../testing/people/sign-in-and-out.ts'
import { costOf, countFirstContacts } from './first-contacts.ts'

const limited = { rateLimits: true, firstContacts: { burst: 3, perSecond: 20 } }

async function keeper(service: Service): Promise<string> {
  const address = newWallet()
  await (await service.as(address)).setDmPolicy({ body: { who: 'requests' } })
  return address
}

async function writer(service: Service, fromaddr = newWallet()) {
  const client = await service.as(fromaddr)
  return {
    address: fromaddr,
    write: (toaddr: string) =>
      client.sendDirectMessage({ body: { fromaddr, toaddr, message: 'gm' } }).then(
        () => 'sent',
        (error: { code: string; message: string; retryAfter: number }) =>
          `${error.code} ${error.retryAfter}: ${error.message}`,
      ),
  }
}

test('a wallet writes first to so many that keep requests, on all instances together, and to others as before', async () => {
  await using service = await startService({ ...limited, refreshEvery: 50 })
  await using other = await startService({ ...limited, refreshEvery: 50, beside: service })
  const here = await writer(service)
  const there = await writer(other, here.address)
  const keepers = await Promise.all(Array.from({ length: 5 }, () => keeper(service)))
  for (const one of keepers.slice(0, 3)) expect(await here.write(one)).toBe('sent')
  const refusal = await here.write(keepers[3]!)
  expect(refusal).toMatch(
    /^rate_limited 1[78]\d: Your wallet has written first to many wallets .* in 3 min\./,
  )
  // Instances exchange their counts.
  await sleep(500)
  expect(await there.write(keepers[4]!)).toMatch(/^rate_limited/)
  // These are: a wallet that has already got a message, one that accepts messages from everyone, and one that has written first.
  expect(await here.write(keepers[0]!)).toBe('sent')
  expect(await here.write(newWallet())).toBe('sent')
  const answering = await writer(service, keepers[3])
  expect(await answering.write(here.address)).toBe('sent')
  expect(await here.write(keepers[3]!)).toBe('sent')
})

test('of many at once no more are stored than the limit says; what is refused for another reason does not count', async () => {
  await using service = await startService(limited)
  const { write } = await writer(service)
  const contactsOnly = newWallet()
  await (await service.as(contactsOnly)).setDmPolicy({ body: { who: 'contacts' } })
  for (let n = 0; n < 5; n++) expect(await write(contactsOnly)).toMatch(/^not_accepting/)
  const keepers = await Promise.all(Array.from({ length: 12 }, () => keeper(service)))
  const outcomes = await Promise.all(keepers.map(write))
  expect(outcomes.filter((outcome) => outcome === 'sent')).toHaveLength(3)
})

test('how they went is counted, and makes the next ones cost more or less', async () => {
  await using service = await startService()
  const alice = await writer(service)
  const peers = await Promise.all(Array.from({ length: 21 }, () => writer(service)))
  for (const { address } of peers) await alice.write(address)
  for (const { write } of peers.slice(0, 11)) await write(alice.address)
  const decide = async (n: number, state: 'ignored' | 'blocked') =>
    (await service.as(peers[n]!.address)).setContact({ peer: alice.address, body: { state } })
  await decide(20, 'ignored')
  await decide(19, 'blocked')
  // Nobody may notice a block.
  await decide(0, 'blocked')
  const { db } = service.ctx
  // A new wallet that writes back does not count, and a wallet that accepts without a word has not written.
  expect(await countFirstContacts(db, alice.address)).toBe(4)
  await signedInLongAgo(
    service,
    peers.map(({ address }) => address),
  )
  for (let n = 0; n < 2; n++) expect(await countFirstContacts(db, alice.address)).toBe(2)
  expect(
    await db.query('select asked, accepted from first_contacts where walletaddr = $1', [alice.address]),
  ).toEqual([{ asked: 21, accepted: 11 }])
  expect(await countFirstContacts(db, peers[0]!.address)).toBe(4)
  const report = (weight: number, status = 'open') =>
    db.query(
      `insert into reports (reporter, subject, is_chat, reason, text, evidence, weight, status, day, ms)
       values ($1, $2, false, 'spam', '', '[]', $3, $4, 1, $5)`,
      [newWallet(), alice.address, weight, status, db.now()],
    )
  for (const weight of [10, 10, 1, 1]) await report(weight)
  await report(10, 'closed')
  expect(await countFirstContacts(db, alice.address)).toBe(2)
  await report(10)
  expect(await countFirstContacts(db, alice.address)).toBe(4)

  const few = { asked: 19, accepted: 19 }
  expect(costOf({ ...few, reporters: 0 })).toBe(4)
  expect(costOf({ asked: 20, accepted: 10, reporters: 2 })).toBe(4)
  expect(costOf({ ...few, reporters: 3 })).toBe(8)
  expect(costOf({ ...few, reporters: 6 })).toBe(16)
})
