import { expect, test } from 'vitest'
import { onOneMachine } from '../../../../testing/service/engines.ts'
import { newWallet, type Service, startService } from '../../../../testing/service/service.ts'

const long = 'é'.repeat(3000)

/** `count` wallets write to a wallet, every third one a message that a preview cuts. */
async function fill(service: Service, wallet: string, count: number): Promise<string[]> {
  const peers = Array.from({ length: count }, newWallet)
  for (const [i, peer] of peers.entries()) {
    const message = i % 3 === 0 ? `${i} ${long}` : `${i}`
    await (await service.as(peer)).sendDirectMessage({ body: { fromaddr: peer, toaddr: wallet, message } })
  }
  return peers
}

test('a row is a preview: texts are cut after 4 KiB, and the row says so', async () => {
  await using service = await startService()
  const [wallet, peer, chat] = [newWallet(), newWallet(), 'town']
  const [client, asPeer] = [await service.as(wallet), await service.as(peer)]
  await asPeer.createCommunity({ body: { community: chat } })
  await client.joinChat({ body: { walletaddr: wallet, nftaddr: chat } })
  const sealed = { encrypted_sym_x_key: 'k'.repeat(5000), x_access_conditions: 'short' }
  await asPeer.sendDirectMessage({ body: { fromaddr: peer, toaddr: wallet, message: `a${long}`, ...sealed } })
  await asPeer.postCommunityMessage({ body: { fromaddr: peer, nftaddr: chat, message: `b${long}` } })
  const [ofChat, ofPeer] = await client.getInbox({ address: wallet })
  expect(ofChat).toMatchObject({ message: `b${'é'.repeat(2047)}`, truncated: true })
  expect(ofPeer).toMatchObject({
    message: `a${'é'.repeat(2047)}`,
    encrypted_sym_x_key: 'k'.repeat(4096),
    x_access_conditions: 'short',
    truncated: true,
  })
  const [whole] = await client.listConversation({ fromaddr: peer, toaddr: wallet })
  expect(whole).toMatchObject({ message: `a${long}`, ...sealed })
  await asPeer.sendDirectMessage({ body: { fromaddr: peer, toaddr: wallet, message: 'short' } })
  expect((await client.getInbox({ address: wallet }))[0]).not.toHaveProperty('truncated')
})

test('pages by limit and before are the whole inbox, also when the message between them was deleted', async () => {
  await using service = await startService()
  const wallet = newWallet()
  const peers = await fill(service, wallet, 25)
  const client = await service.as(wallet)
  await (await service.as(peers[0]!)).createCommunity({ body: { community: 'town' } })
  const chats = ['town', `0x${'7'.repeat(40)}`, `0x${'3'.repeat(40)}`, `0x${'5'.repeat(40)}`]
  for (const nftaddr of chats) await client.joinChat({ body: { walletaddr: wallet, nftaddr } })
  const whole = await client.getInbox({ address: wallet })
  expect(whole).toHaveLength(29)
  // Chats without messages always come in the same order.
  expect(whole.slice(25).map(({ nftaddr }) => nftaddr)).toEqual(chats.toSorted())
  for (const limit of [1, 7, 26, 1000]) {
    const rows: typeof whole = []
    for (let before: number | undefined; ;) {
      const page = await client.getInbox({
        address: wallet,
        query: { limit, ...(before !== undefined && { before }) },
      })
      expect(page.length).toBeLessThanOrEqual(limit)
      rows.push(...page)
      before = page.at(-1)?.id
      if (page.length < limit || before === 0) break
    }
    expect(rows).toEqual(whole.slice(0, rows.length))
    expect(rows.length).toBeGreaterThanOrEqual(25)
  }
  const [first, second, third] = whole
  await (await service.as(second!.fromaddr)).deleteDirectMessage({ id: second!.id })
  const next = await client.getInbox({ address: wallet, query: { limit: 2, before: second!.id } })
  expect(next[0]).toEqual(third)
  expect(next).not.toContainEqual(first)
})

// It writes to the table itself, so there are no copies for a cluster.
onOneMachine('an inbox of thousands of rows comes whole and in order', async () => {
  await using service = await startService()
  const [wallet, peer] = [newWallet(), newWallet()]
  await (
    await service.as(peer)
  ).sendDirectMessage({ body: { fromaddr: peer, toaddr: wallet, message: 'first' } })
  await service.ctx.db.query(
    `insert into conversations (bucket, a, b, id, last_ms, unread_a, last_id, last_item, copy_ms, copy_version, last_is_from_a, last_read)
     select c.bucket, least($1, p), greatest($1, p), c.id + 64 * n, c.last_ms + n, c.unread_a, c.last_id + 64 * n, c.last_item,
       c.copy_ms + n, c.copy_version, p < $1, false
     from conversations c, generate_series(1, 4500) n, lateral (select '0x' || lpad(to_hex(n), 40, '0') as p) peers
     where $1 in (c.a, c.b)`,
    [wallet],
  )
  const rows = await (await service.as(wallet)).getInbox({ address: wallet })
  expect(rows).toHaveLength(4501)
  const ids = rows.map(({ id }) => id)
  expect(ids).toEqual(ids.toSorted((one, other) => other - one))
  expect(new Set(ids).size).toBe(4501)
})
