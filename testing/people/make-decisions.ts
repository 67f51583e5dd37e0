import { type Person, token } from './reading.ts'

/** Makes all decisions of wallets about each other: requests, blocks, mutes, views, and withheld messages. */
export async function decide([alice, bob, carol]: Person[]): Promise<void> {
  const think = (body: object, of = alice!) => bob!.client.setContact({ peer: of.address, body })
  const write = (n: number) =>
    alice!.client.sendDirectMessage({
      body: { fromaddr: alice!.address, toaddr: bob!.address, message: `withheld ${n}`, ...token },
    })
  const [before] = await write(46)
  await think({ state: 'blocked', alias: 'Ann', muted_until: 'forever' })
  await Promise.all(Array.from({ length: 40 }, (_, n) => write(n)))
  await bob!.client
    .sendDirectMessage({
      body: { fromaddr: bob!.address, toaddr: alice!.address, message: 'to the blocked' },
    })
    .catch(() => {})
  for (const revision of [0, 1])
    await alice!.client.editMessage({ id: before!.id, body: { message: `unseen ${revision}`, revision } })
  await think({ state: 'accepted', alias: null })
  await alice!.client.editMessage({ id: before!.id, body: { message: 'seen again', revision: 2 } })
  const [last] = await write(41)
  await bob!.client.markDirectMessage({ ...last!, body: { ...last!, read: true } })
  await think({ state: 'blocked' })
  await write(42)
  await think({ blocked: false })
  const [seen] = await write(43)
  for (const about of [token, {}])
    await bob!.client.markReadTo({
      addr: alice!.address,
      body: { id: seen!.id, context_type: 'dm', ...about },
    })
  await think({ state: 'blocked' }, { ...carol!, address: token.nftaddr })
  await think({ state: 'unknown' }, { ...carol!, address: token.nftaddr })
  for (const view of ['all', 'main', 'requests'] as const)
    for (const query of [{ view }, { view, limit: 2 }]) {
      await bob!.client.getInbox({ address: bob!.address, query })
      await bob!.client.countUnread({ address: bob!.address, query: { view } })
    }
  for (const state of [undefined, 'unknown', 'accepted', 'ignored', 'blocked'] as const)
    await bob!.client.listContacts({ query: { limit: 5, ...(state && { state }) } })
  await bob!.client.getContact({ peer: alice!.address })
  await bob!.client.setDmPolicy({ body: { who: 'contacts' } })
  for (let n = 0; n < 2; n++) await Promise.all(Array.from({ length: 40 }, (_, m) => write(m)))
  await bob!.client.setDmPolicy({ body: { who: 'requests' } })
  await think({ state: 'unknown' })
  const [request] = await write(44)
  await alice!.client.editMessage({ id: request!.id, body: { message: 'a longer request', revision: 0 } })
  await bob!.client.getOwnDmPolicy()
  await bob!.client.getDmPolicy({ address: bob!.address })
  await bob!.client.setDmPolicy({ body: { who: 'everyone' } })
  for (const tell of ['all', 'mentions'] as const)
    await bob!.client.setChatNotifications({ nftaddr: 'Town', body: { tell, announcements: true } })
  await bob!.client.getChatNotifications({ nftaddr: 'Town' })
  await bob!.client.listAnnouncingChats()
  await bob!.client.muteChat({ nftaddr: 'Town', body: { muted_until: 'forever' } })
  await think({ state: 'unknown' })
  await bob!.client.acceptRequests()
  await bob!.client.clearRequests()
}
