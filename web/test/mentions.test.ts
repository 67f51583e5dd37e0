import { test } from 'vitest'
import { newWallet } from '../../testing/service/service.ts'
import { faults } from './axe.ts'
import { arrive, bubble, openPerson, say } from './person.ts'
import { useSite } from './site.ts'

const site = useSite()

/** Two people in a chat, who have names and have written. */
async function talk(community: string) {
  const [alice, bob] = [await openPerson(site.url), await openPerson(site.url)]
  const [asAlice, asBob] = [await site.service.as(alice.address), await site.service.as(bob.address)]
  const name = `Bo Berg ${bob.address.slice(-5)}`
  await asBob.setName({ body: { address: bob.address, name } })
  await asAlice.createCommunity({ body: { community } })
  for (const [client, { address }] of [[asAlice, alice] as const, [asBob, bob] as const]) {
    await client.joinChat({ body: { walletaddr: address, nftaddr: community } })
    await client.postGroupMessage({ body: { fromaddr: address, nftaddr: community, message: 'gm' } })
  }
  await arrive(alice, `/c/${community}`)
  await arrive(bob, `/c/${community}`)
  await bubble(alice, 'gm').nth(1).waitFor()
  return { alice, bob, name }
}

test.concurrent('@ offers who has written in a chat, by keyboard and by pointer; who is mentioned sees it', async ({
  expect,
}) => {
  const { alice, bob, name } = await talk('Mentions')
  await using _alice = alice
  await using _bob = bob
  const { page } = alice
  const field = page.getByRole('textbox', { name: 'Message Mentions' })
  const options = page.getByRole('listbox', { name: 'Mention someone' }).getByRole('option')
  await field.pressSequentially('hi @b')
  await options.first().waitFor()
  expect(await options.allTextContents()).toEqual([expect.stringContaining(name)])
  expect(await field.getAttribute('aria-activedescendant')).toBe(await options.first().getAttribute('id'))
  expect(await faults(page)).toEqual([])
  // Closed, Enter would send: nothing is sent here, and the list comes back with the next letter.
  await page.keyboard.press('Escape')
  await options.first().waitFor({ state: 'detached' })
  await field.pressSequentially('e')
  await page.keyboard.press('Enter')
  expect(await field.inputValue()).toBe(`hi @${name} `)
  await field.fill('x@b and @nobody')
  await page.getByText('No member matches', { exact: true }).waitFor()
  expect(await options.count()).toBe(0)
  // After a space the text goes on.
  await field.pressSequentially(' x')
  await page.getByText('No member matches', { exact: true }).waitFor({ state: 'detached' })
  await field.fill('')
  await field.pressSequentially('@0x')
  await field.fill('@berg')
  await options.first().click()
  expect(await field.inputValue()).toBe(`@${name} `)
  await say(alice, `@${name}, look`)
  const coloured = ({ page: seen }: typeof bob) => seen.getByRole('log').locator('strong.text-accent')
  await bob.page.getByRole('log').getByText('mentions you').waitFor({ state: 'attached' })
  expect(await coloured(bob).allInnerTexts()).toEqual([`@${name}`])
  expect(await coloured(alice).count()).toBe(0)
  expect(await faults(bob.page)).toEqual([])
  expect([...alice.complaints, ...bob.complaints]).toEqual([])
})

test.concurrent('@ offers members who have not written, who are asked for only then', async ({ expect }) => {
  await using alice = await openPerson(site.url)
  const { page } = alice
  const asAlice = await site.service.as(alice.address)
  await asAlice.createCommunity({ body: { community: 'quiet' } })
  await asAlice.joinChat({ body: { walletaddr: alice.address, nftaddr: 'quiet' } })
  const silent = newWallet()
  const asSilent = await site.service.as(silent)
  await asSilent.setName({ body: { address: silent, name: 'Silvia Reed' } })
  await asSilent.joinChat({ body: { walletaddr: silent, nftaddr: 'quiet' } })
  const asked: string[] = []
  page.on('request', (request) => request.url().includes('/v1/members/') && asked.push(request.url()))
  await arrive(alice, '/c/quiet')
  const field = page.getByRole('textbox', { name: 'Message quiet' })
  await field.pressSequentially('hello')
  expect(asked).toEqual([])
  await field.pressSequentially(' @sil')
  const option = page.getByRole('listbox', { name: 'Mention someone' }).getByRole('option')
  await option.filter({ hasText: 'Silvia Reed' }).waitFor()
  await page.keyboard.press('Enter')
  expect(await field.inputValue()).toBe('hello @Silvia Reed ')
  expect(asked).toHaveLength(1)
  expect(alice.complaints).toEqual([])
})
