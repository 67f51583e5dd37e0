// Who owns a token, by a real chain, on a page where nobody is signed in.

import { describe, test } from 'vitest'
import { startTokenHost } from '../../testing/chains/token-host.ts'
import { newWallet } from '../../testing/service/service.ts'
import { part, press, requestsOf, usePages } from './pages.ts'

const { chain, pictures, owner, write, mint } = await startTokenHost()

describe.for(['18', '19'] as const)('with React %s', (version) => {
  const site = usePages(version, (origin) => ({
    embedOrigins: [origin],
    rpcUrls: { [chain.chainId]: chain.url },
    embedContracts: [pictures.address],
  }))

  test('a page shows who owns a token and from whom they take messages, before anybody signs in', async ({
    expect,
  }) => {
    const token = await mint('')
    await (await site.service.as(owner)).setDmPolicy({ body: { who: 'contacts' } })
    await using alice = await site.open({})
    const asked = requestsOf(alice, '/v1/')
    const nftaddr = token.nftaddr.toUpperCase().replace('0X', '0x')
    const scopes = `dm:${owner}`
    await site.open({ ...token, nftaddr, show: 'owner,same-owner', scopes }, alice)
    await part(alice, 'Owner').nth(1).getByText(`${owner} a wallet contacts`).waitFor()
    // Two components share one request, which says nothing of the visitor.
    expect(asked).toHaveLength(1)
    await press(alice, 'Sign in')
    await alice.page.getByText(`signed in as ${alice.address}`).waitFor()
    await part(alice, 'Owner').nth(1).getByText(`${owner} a wallet contacts`).waitFor()
    await press(alice, 'Sign out')
    await alice.page.getByText('signed-out', { exact: true }).waitFor()
    await part(alice, 'Owner').nth(1).getByText(`${owner} a wallet contacts`).waitFor()
    expect(asked.filter((url) => !url.endsWith('/v1/signout'))).toHaveLength(1)
    expect(site.complaintsOf(alice)).toEqual([])
  })

  test('a contract is named as one, nobody for a token that is not there, and a refusal says why', async ({
    expect,
  }) => {
    const listed = await mint('')
    await write('move', [pictures.address, BigInt(listed.nftid)])
    await using alice = await site.open({ ...listed, show: 'owner' })
    await part(alice, 'Owner').getByText(`${pictures.address} a contract`).waitFor()
    await site.open({ ...listed, nftid: '999999', show: 'owner' }, alice)
    await alice.page.locator('[data-status=ready]').getByText('nobody').waitFor()
    const other = { nftaddr: newWallet(), nftid: '1' }
    await site.open({ ...other, show: 'owner' }, alice)
    await alice.page
      .locator('[data-status=failed]')
      .getByText(/^forbidden: This service tells nobody/)
      .waitFor()
    const asked = requestsOf(alice, '/v1/')
    await site.open({ show: 'owner' }, alice)
    await part(alice, 'Owner').getByText('nobody').waitFor()
    await alice.page.waitForTimeout(500)
    expect(asked).toEqual([])
  })

  test('what could not be read is read again by reload', async ({ expect }) => {
    const token = await mint('')
    await using alice = await site.open({})
    await alice.page.route('**/v1/nft_owner/**', (route) =>
      route.fulfill({
        status: 429,
        headers: { 'retry-after': '3600' },
        json: { type: '/docs/errors#rate_limited', detail: 'Later.' },
      }),
    )
    await site.open({ ...token, show: 'owner' }, alice)
    await part(alice, 'Owner')
      .getByText(/: Later\.$/)
      .waitFor()
    await alice.page.unroute('**/v1/nft_owner/**')
    await press(alice, 'Reload', 'Owner')
    await part(alice, 'Owner').getByText(`${owner} a wallet`).waitFor()
    expect(await part(alice, 'Owner').getByRole('alert').count()).toBe(0)
  })
})
