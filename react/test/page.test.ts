// Two people on a site of its own origin, with the hooks: in a browser, with a wallet that holds a real key.

import { describe, test } from 'vitest'
import { createClient } from '@parley/sdk'
import { newWallet } from '../../testing/service/service.ts'
import { acquaint, eventually } from '../../web/test/person.ts'
import { part, press, requestsOf, texts, usePages, write } from './pages.ts'

const nft = {
  nftaddr: newWallet(),
  nftid: '115792089237316195423570985008687907853269984665640564039457584007913129639935',
}

describe.for(['18', '19'] as const)('with React %s', (version) => {
  const site = usePages(version)

  test('two people sign in with their wallets, write, receive and read', async ({ expect }) => {
    await using alice = await site.open({})
    await using bob = await site.open({})
    await acquaint(site.service, alice, bob)
    await site.open({ peer: bob.address, show: 'conversation,again,unread,inbox' }, alice)
    await site.open({ peer: alice.address, show: 'conversation,unread,unread-of-peer,inbox' }, bob)
    const lists = requestsOf(alice, '/getall_chatitems/')
    const streams = requestsOf(alice, '/v1/events')
    await alice.page.getByText('signed-out', { exact: true }).waitFor()
    await press(alice, 'Sign in')
    await press(bob, 'Sign in')
    await alice.page.getByText(`signed in as ${alice.address}`).waitFor()
    // The wallet sees the domain of the page that asks, not that of the service.
    const { host, origin } = new URL(alice.page.url())
    expect(alice.signed).toHaveLength(1)
    expect(alice.signed[0]).toMatch(`${host} wants you to sign in with your Ethereum account:`)
    expect(alice.signed[0]).toMatch(`URI: ${origin}/`)

    await write(alice, 'gm')
    await part(alice).getByText('gm').waitFor()
    await part(bob).getByText('gm').waitFor()
    await part(bob, 'Unread').getByText('1 unread').waitFor()
    await part(bob, 'Unread of the peer').getByText('1 unread').waitFor()
    await part(bob, 'Inbox').getByText('gm (1)').waitFor()
    await part(alice, 'Inbox').getByText('gm (0)').waitFor()
    expect(await part(alice).locator('[data-read=true]').count()).toBe(0)
    await press(bob, 'Mark read')
    await part(bob, 'Unread').getByText('0 unread').waitFor()
    await part(bob, 'Unread of the peer').getByText('0 unread').waitFor()
    await part(alice).locator('[data-read=true]').getByText('gm').waitFor()

    await write(bob, 'gm to you')
    await write(bob, 'gm to you')
    await part(alice).getByText('gm to you').nth(1).waitFor()
    for (const name of ['Conversation', 'The same'])
      expect(await texts(alice, name)).toEqual(['gm', 'gm to you', 'gm to you'])
    expect(await texts(bob)).toEqual(['gm', 'gm to you', 'gm to you'])
    // Two components, mounted twice by the strict mode, share one request and one stream.
    expect([lists.length, streams.length]).toEqual([1, 1])
    expect([...site.complaintsOf(alice), ...site.complaintsOf(bob)]).toEqual([])
  })

  test('comments are seen by others, now and after they were written', async ({ expect }) => {
    const asked = { ...nft, show: 'comments' }
    await using alice = await site.enter(asked)
    await write(alice, 'What a hat.', 'Comments')
    await part(alice, 'Comments').locator('[data-status=sent]').getByText('What a hat.').waitFor()
    await using bob = await site.enter(asked)
    await part(bob, 'Comments').getByText('What a hat.').waitFor()
    await alice.page.clock.install()
    await alice.page.reload()
    await part(alice, 'Comments').getByText('What a hat.').waitFor()
    await write(bob, 'I want it.', 'Comments')
    await part(bob, 'Comments').locator('[data-status=sent]').getByText('I want it.').waitFor()
    await alice.page.clock.fastForward(21_000)
    await part(alice, 'Comments').getByText('I want it.').waitFor()
    expect(await texts(alice, 'Comments')).toEqual(['What a hat.', 'I want it.'])
    expect([...site.complaintsOf(alice), ...site.complaintsOf(bob)]).toEqual([])
  })

  test('signing out removes everything that was shown, and ends the token', async ({ expect }) => {
    const [address, peer] = [newWallet(), newWallet()]
    const asPeer = await site.service.as(peer)
    await asPeer.sendDirectMessage({ body: { fromaddr: peer, toaddr: address, message: 'a secret' } })
    await using alice = await site.enter({ peer, show: 'conversation,unread' }, { address })
    await part(alice).getByText('a secret').waitFor()
    const token = new URL(alice.page.url()).searchParams.get('token')!
    const baseUrl = await site.service.listen()
    const client = createClient({ baseUrl, token, retry: false })
    expect(await client.countUnread({ address })).toBe(1)
    await press(alice, 'Sign out')
    await alice.page.getByText('signed-out', { exact: true }).waitFor()
    await part(alice).getByText('a secret').waitFor({ state: 'detached' })
    await part(alice, 'Unread').getByText('unknown').waitFor()
    expect(await alice.page.evaluate(() => JSON.stringify([...window.parley.entries]))).not.toContain(
      'secret',
    )
    await eventually(
      () => client.countUnread({ address }).then(String, ({ code }: { code: string }) => code),
      (code) => expect(code).toBe('unauthorized'),
    )
    // Nothing is sent now, and the text stays in the field.
    await write(alice, 'still there?')
    expect(await part(alice).getByRole('textbox').inputValue()).toBe('still there?')
    expect(await part(alice).locator('li').count()).toBe(0)
    expect(site.complaintsOf(alice)).toEqual([])
  })
  test('what a server has rendered is taken over as it is, and then shows the session', async ({
    expect,
  }) => {
    const [address, peer] = [newWallet(), newWallet()]
    const asPeer = await site.service.as(peer)
    await asPeer.sendDirectMessage({ body: { fromaddr: peer, toaddr: address, message: 'hello', ...nft } })
    const asked = { hydrate: '', peer, ...nft, show: 'conversation,inbox,unread,comments' }
    await using alice = await site.enter(asked, { address })
    await part(alice).getByText('hello').waitFor()
    await alice.page.getByText(`signed in as ${address}`).waitFor()
    // React complains where the two differ.
    expect(site.complaintsOf(alice)).toEqual([])
  })
})
