// What a page asks of the service when it is loaded: an inbox of twenty conversations, and one of them.

import sharp from 'sharp'
import { test } from 'vitest'
import { newWallet } from '../../testing/service/service.ts'
import { acquaint, arrive, bubble, openPerson, type Person } from './person.ts'
import { useSite } from './site.ts'

const site = useSite()

/** Long enough that a page which still reads something would have begun it. */
const rest = 1000

/** Follows the requests of a page to the service: what they read, and whether that is of the wallet itself. */
function follow({ page, address }: Person) {
  const found: string[] = []
  const open = new Set<unknown>()
  let since = Date.now()
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    const [, version, what, whose] = pathname.split('/')
    if (version !== 'v1') return
    const view = searchParams.get('view')
    const name = view ? `${what} ${view}` : whose === address ? `${what} of bob` : what
    found.push(`${request.method()} ${name}`)
    since = Date.now()
    // A stream does not end.
    if (pathname !== '/v1/events') open.add(request)
  })
  const end = (request: unknown) => {
    if (open.delete(request)) since = Date.now()
  }
  page.on('requestfinished', end)
  page.on('requestfailed', end)
  return {
    found,
    /** Waits until nothing is read for a second. */
    quiet: async () => {
      while (open.size > 0 || Date.now() - since < rest) await page.waitForTimeout(50)
    },
  }
}

const picture = async () => {
  const create = { width: 64, height: 64, channels: 3, background: '#3a7' } as const
  return (await sharp({ create }).png().toBuffer()).toString('base64')
}

/** A conversation of a peer with Bob: some have names, pictures or a reply, one is encrypted. */
async function converse(peer: string, i: number, bob: string, base64data: string): Promise<void> {
  await acquaint(site.service, peer, bob)
  const client = await site.service.as(peer)
  if (i % 3 === 0) await client.setName({ body: { address: peer, name: nameOf(peer) } })
  if (i % 6 === 0) await client.createProfilePicture({ body: { addr: peer, base64data } })
  const encrypted = i === 5 && { encrypted_sym_x_key: 'key', x_access_conditions: 'conditions' }
  const body = { fromaddr: peer, toaddr: bob, message: `hello from ${i}`, ...encrypted }
  await client.sendDirectMessage({ body })
  const reply = { fromaddr: bob, toaddr: peer, message: `hello to ${i}` }
  if (i === 7) await (await site.service.as(bob)).sendDirectMessage({ body: reply })
}

const nameOf = (peer: string) => `Peer ${peer.slice(2, 10)}`

/** Makes twenty conversations, a community and a request. Returns a peer with a name and a picture. */
async function fill({ address }: Person): Promise<string> {
  const peers = Array.from({ length: 20 }, newWallet)
  const [client, base64data] = [await site.service.as(address), await picture()]
  await client.setName({ body: { address, name: `Bob ${address.slice(2, 8)}` } })
  await client.createProfilePicture({ body: { addr: address, base64data } })
  for (const [i, peer] of peers.entries()) await converse(peer, i, address, base64data)
  const [owner, stranger] = [newWallet(), newWallet()]
  const nftaddr = `garden-${owner.slice(2, 10)}`
  const asOwner = await site.service.as(owner)
  await asOwner.createCommunity({ body: { community: nftaddr } })
  await client.joinChat({ body: { walletaddr: address, nftaddr } })
  await asOwner.postCommunityMessage({ body: { fromaddr: owner, nftaddr, message: 'welcome' } })
  await (
    await site.service.as(stranger)
  ).sendDirectMessage({ body: { fromaddr: stranger, toaddr: address, message: 'may I?' } })
  return peers[18]!
}

/** These are read before the inbox is shown, on any page. */
const first = [
  'GET contacts',
  'GET events',
  'GET get_inbox main',
  'GET get_inbox requests',
  'GET keys of bob',
  'POST session of bob',
]

/** These are read some seconds after the inbox. */
const afterInbox = [
  'GET bots',
  'GET communities',
  'GET drafts',
  'GET official',
  'GET picture of bob',
  'GET sanctions',
  'GET service',
]

/** Waits until what can wait has been read, the wallet's own picture for instance. */
const hasAll = ({ page }: Person) =>
  page.getByRole('button', { name: 'Your wallets and settings' }).locator('img').waitFor()

test.concurrent('the inbox needs six requests before it is shown, and what can wait is read later', async ({
  expect,
}) => {
  await using bob = await openPerson(site.url)
  const named = await fill(bob)
  const { found, quiet } = follow(bob)
  await arrive(bob)
  for (const name of [/hello from 19/, /welcome/, nameOf(named)])
    await bob.page.getByRole('link', { name }).waitFor()
  const beforeInbox = [...found]
  await bob.page.getByRole('link', { name: /Requests/ }).waitFor()
  await hasAll(bob)
  await quiet()
  expect(beforeInbox.toSorted()).toEqual(first)
  expect(found.toSorted()).toEqual([...first, ...afterInbox].toSorted())
  expect(bob.complaints).toEqual([])
})

test.concurrent('a conversation opens by its link with eight more', async ({ expect }) => {
  await using bob = await openPerson(site.url)
  const named = await fill(bob)
  const { found, quiet } = follow(bob)
  await arrive(bob, `/dm/${named}`)
  await bubble(bob, 'hello from 18').waitFor()
  await bob.page.getByRole('heading', { name: nameOf(named) }).waitFor()
  await hasAll(bob)
  await quiet()
  const ofConversation = [
    'GET bots',
    'GET conversations',
    'GET drafts',
    'GET getall_chatitems of bob',
    'GET keys',
    'GET sanctions',
    'GET service',
    'PUT read_to',
  ]
  const later = ['GET bots', 'GET official', 'GET picture of bob']
  expect(found.toSorted()).toEqual([...first, ...ofConversation, ...later].toSorted())
  expect(bob.complaints).toEqual([])
})

test.concurrent('what changes before the event stream has opened is shown', async ({ expect }) => {
  await using bob = await openPerson(site.url)
  const alice = newWallet()
  await acquaint(site.service, alice, bob)
  const asAlice = await site.service.as(alice)
  const send = (message: string) =>
    asAlice.sendDirectMessage({ body: { fromaddr: alice, toaddr: bob.address, message } })
  await send('before')
  const opening = Promise.withResolvers<void>()
  await bob.page.route('**/v1/events', async (route) => {
    await opening.promise
    await route.continue()
  })
  // The stream takes long, and the page does not wait for it.
  await arrive(bob, `/dm/${alice}`)
  await bubble(bob, 'before').waitFor()
  await bob.page.getByRole('link', { name: /before/ }).waitFor()
  await send('meanwhile')
  await asAlice.setName({ body: { address: alice, name: `Alice ${alice.slice(2, 8)}` } })
  opening.resolve()
  await bubble(bob, 'meanwhile').waitFor()
  await bob.page.getByRole('link', { name: /meanwhile/ }).waitFor()
  await bob.page.getByRole('heading', { name: `Alice ${alice.slice(2, 8)}` }).waitFor()
  expect(bob.complaints).toEqual([])
})
