import { test } from 'vitest'
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
  const options = page.getByRole('listbox', { name: 'Whom to mention' }).getByRole('option')
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
  expect(await options.count()).toBe(0)
  await field.fill('')
  await field.pressSequentially('@0x')
  await field.fill('@berg')
  await options.first().click()
  expect(await field.inputValue()).toBe(`@${name} `)
  await say(alice, `@${name}, look`)
  const seen = bob.page.getByRole('log').locator('div.ring-2')
  await seen.getByText('mentions you').waitFor({ state: 'attached' })
  expect(await seen.count()).toBe(1)
  expect(await page.getByRole('log').locator('div.ring-2').count()).toBe(0)
  expect([...alice.complaints, ...bob.complaints]).toEqual([])
})
