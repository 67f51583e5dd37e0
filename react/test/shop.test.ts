// A shop that a service knows by EMBED_ORIGINS alone: its visitors sign in to what the page asks for, and to nothing else.

import { describe, test } from 'vitest'
import { newName, newWallet } from '../../testing/service/service.ts'
import { acquaint } from '../../web/test/person.ts'
import { part, press, requestsOf, texts, usePages, write } from './pages.ts'

describe.for(['18', '19'] as const)('with React %s', (version) => {
  const site = usePages(version, (origin) => ({ embedOrigins: [origin] }))

  test('a buyer and a seller sign in to their conversation alone, write, and read each other live', async ({
    expect,
  }) => {
    await using buyer = await site.open({})
    await using seller = await site.open({})
    await acquaint(site.service, buyer, seller)
    const show = 'conversation,unread-of-peer,inbox,comments'
    const nft = { nftaddr: newWallet(), nftid: '7' }
    const [inboxes, lists] = [requestsOf(buyer, '/get_inbox/'), requestsOf(buyer, '/get_comments/')]
    for (const [person, peer] of [
      [buyer, seller.address],
      [seller, buyer.address],
    ] as const) {
      await site.open({ peer, ...nft, show, scopes: `dm:${peer}` }, person)
      await press(person, 'Sign in')
      await person.page.getByText(`signed in as ${person.address}`).waitFor()
      // The page says beside its button what the wallet says.
      const words = await person.page.getByRole('list', { name: 'Asks for' }).textContent()
      expect(words).toBe(`read your messages with ${peer} and write to them as you`)
      const { host, origin } = new URL(person.page.url())
      expect(person.signed).toEqual([
        expect.stringMatching(`^${host} wants you to sign in with your Ethereum account:\n0x`),
      ])
      expect(person.signed[0]).toContain(`for this alone: ${words}.\n\nURI: ${origin}/\n`)
    }
    await write(buyer, 'Is it still for sale?')
    await part(buyer).locator('[data-status=sent]').getByText('Is it still for sale?').waitFor()
    await part(seller).getByText('Is it still for sale?').waitFor()
    await part(seller, 'Unread of the peer').getByText('1 unread').waitFor()
    await press(seller, 'Mark read')
    await part(seller, 'Unread of the peer').getByText('0 unread').waitFor()
    await part(buyer).locator('[data-read=true]').getByText('Is it still for sale?').waitFor()
    await write(seller, 'It is.')
    await part(buyer).getByText('It is.').waitFor()
    expect(await texts(buyer)).toEqual(['Is it still for sale?', 'It is.'])

    // What the sign-in is not for says so, and is asked for once, whatever happens elsewhere.
    const sent = requestsOf(buyer, '/v1/create_comment')
    await part(buyer, 'Inbox')
      .getByText(/^forbidden: .*This one has dm:0x/)
      .waitFor()
    await part(buyer, 'Comments')
      .getByText(/^forbidden: .*comments:<contract>:<token>/)
      .waitFor()
    await write(buyer, 'What a hat.', 'Comments')
    await part(buyer, 'Comments').locator('[data-status=failed]').getByText('What a hat.').waitFor()
    await buyer.page.waitForTimeout(3000)
    expect([inboxes.length, lists.length, sent.length]).toEqual([1, 1, 1])
    expect(await part(buyer).getByRole('alert').count()).toBe(0)

    // The visitor sees the shop in the list of the service, and ends it there.
    const asBuyer = await site.service.as(buyer.address)
    const [session] = await asBuyer.listSessions({ address: buyer.address })
    expect(session).toMatchObject({
      origin: new URL(buyer.page.url()).origin,
      scopes: [`dm:${seller.address}`],
    })
    await asBuyer.endSession({ address: buyer.address, session: session!.id })
    await buyer.page.getByText('signed-out', { exact: true }).waitFor()
    await part(buyer).getByText('It is.').waitFor({ state: 'detached' })
    expect([...site.complaintsOf(buyer), ...site.complaintsOf(seller)]).toEqual([])
  })

  test('a sign-in for the comments on one NFT reads and writes them there alone', async ({ expect }) => {
    const nft = { nftaddr: newWallet(), nftid: '7' }
    const asked = { ...nft, show: 'comments', scopes: `comments:${nft.nftaddr}:7` }
    await using alice = await site.open(asked)
    await press(alice, 'Sign in')
    await alice.page.getByText(`signed in as ${alice.address}`).waitFor()
    await write(alice, 'What a hat.', 'Comments')
    await part(alice, 'Comments').locator('[data-status=sent]').getByText('What a hat.').waitFor()
    const asOther = await site.service.as(newWallet())
    expect(await asOther.listComments(nft)).toMatchObject([
      { fromaddr: alice.address, message: 'What a hat.' },
    ])
    await site.open({ ...asked, nftid: '8' }, alice)
    await press(alice, 'Sign in')
    await part(alice, 'Comments')
      .getByText(/^forbidden: .*This one has comments:0x/)
      .waitFor()
    expect(site.complaintsOf(alice)).toEqual([])
  })
})

describe('what a sign-in is for', () => {
  const site = usePages('19', (origin) => ({ embedOrigins: [origin] }))

  test('the page of another seller asks once more, and the token of the page before ends', async ({
    expect,
  }) => {
    const [one, two] = [newWallet(), newWallet()]
    const pageOf = (peer: string) => ({ peer, show: 'conversation', scopes: `dm:${peer}`, remember: '' })
    await using alice = await site.open(pageOf(one))
    await press(alice, 'Sign in')
    await alice.page.getByText(`signed in as ${alice.address}`).waitFor()
    await write(alice, 'to the first')
    await part(alice).locator('[data-status=sent]').getByText('to the first').waitFor()
    expect(await alice.page.getByText('More is needed').count()).toBe(0)
    await press(alice, 'Sign in')
    expect(alice.signed).toHaveLength(1)

    await site.open(pageOf(two), alice)
    await alice.page.getByText('More is needed').waitFor()
    await part(alice)
      .getByText(/^forbidden: .*This one has dm:0x/)
      .waitFor()
    await press(alice, 'Sign in')
    await alice.page.getByText('More is needed').waitFor({ state: 'detached' })
    await write(alice, 'to the second')
    await part(alice).locator('[data-status=sent]').getByText('to the second').waitFor()
    const { address } = alice
    const asAlice = await site.service.as(address)
    await expect
      .poll(async () => (await asAlice.listSessions({ address })).map(({ scopes }) => scopes))
      .toEqual([[`dm:${two}`]])
  })

  test('a wallet that does not sign for more keeps what it has', async ({ expect }) => {
    const [one, two] = [newWallet(), newWallet()]
    const asked = { peer: one, show: 'conversation', remember: '' }
    await using alice = await site.open({ ...asked, scopes: `dm:${one}` })
    await press(alice, 'Sign in')
    await alice.page.getByText(`signed in as ${alice.address}`).waitFor()
    await site.open({ ...asked, scopes: `dm:${one} dm:${two}` }, alice)
    await alice.page.getByText('More is needed').waitFor()
    await alice.page.evaluate((address) => {
      const refuse = async ({ method }: { method: string }) => {
        if (method === 'eth_requestAccounts') return [address]
        throw Object.assign(new Error('User rejected the request.'), { code: 4001 })
      }
      Object.assign(window, { ethereum: { request: refuse } })
    }, alice.address)
    await press(alice, 'Sign in')
    await alice.page.getByText('rejected: You did not sign in').waitFor()
    await write(alice, 'still here')
    await part(alice).locator('[data-status=sent]').getByText('still here').waitFor()
    expect(await alice.page.getByText('More is needed').count()).toBe(1)
  })

  test('a site that asks for all, and a scope that does not exist, are refused in words', async ({
    expect,
  }) => {
    await using alice = await site.open({})
    await press(alice, 'Sign in')
    await alice.page.getByText(/may ask for scopes alone/).waitFor()
    await site.open({ scopes: newName('erase') }, alice)
    await press(alice, 'Sign in')
    await alice.page.getByText(/is no scope that a site may ask for/).waitFor()
    expect(alice.signed).toHaveLength(1)
  })
})
