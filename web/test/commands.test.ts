// Commands of bots, as somebody sees them who types a slash.

import { expect, test } from 'vitest'
import { newName, newWallet } from '../../testing/service/service.ts'
import { faults } from './axe.ts'
import { arrive, openPerson } from './person.ts'
import { useSite } from './site.ts'

const site = useSite()

test('a slash lists the commands of a chat, which the keyboard and the pointer choose', async () => {
  const { service } = site
  const bot = newWallet()
  const client = await service.as(bot)
  const nftaddr = newName('greenhouse')
  await client.becomeBot()
  await client.createCommunity({ body: { community: nftaddr, social: [] } })
  await client.joinChat({ body: { walletaddr: bot, nftaddr } })
  await client.setCommands({
    nftaddr,
    body: {
      commands: [
        { word: 'water', description: 'Waters a plant' },
        { word: 'weather', description: 'The weather of a place' },
        { word: 'help', description: 'What I can do' },
      ],
    },
  })
  await using alice = await openPerson(site.url)
  const own = await service.as(alice.address)
  await own.joinChat({ body: { walletaddr: alice.address, nftaddr } })
  await arrive(alice, `/c/${nftaddr}`)
  const { page, complaints } = alice
  const field = page.getByRole('textbox', { name: `Message ${nftaddr}` })
  await field.fill('/')
  const options = page.getByRole('listbox', { name: 'Commands' }).getByRole('option')
  await options.nth(2).waitFor()
  expect(await options.first().textContent()).toContain('What I can do')
  expect(await faults(page)).toEqual([])
  await field.fill('/w')
  await options.nth(1).waitFor()
  expect(await options.count()).toBe(2)
  await field.press('ArrowDown')
  expect(await options.nth(1).getAttribute('aria-selected')).toBe('true')
  await field.press('Enter')
  expect(await field.inputValue()).toBe('/weather ')
  expect(await options.count()).toBe(0)
  await field.fill('/wa')
  await options.first().click()
  expect(await field.inputValue()).toBe('/water ')
  // The caret of somebody who goes on at once stays where they put it, whenever the next frame is drawn.
  await field.fill('/wa')
  await options.first().waitFor()
  const selected = await field.evaluate(async (element: HTMLTextAreaElement) => {
    document.querySelector<HTMLElement>('[role=option]')!.click()
    // The choice is rendered by then.
    await Promise.resolve()
    element.select()
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
    return element.value.slice(element.selectionStart, element.selectionEnd)
  })
  expect(selected).toBe('/water ')
  await field.fill('/he')
  await options.first().waitFor()
  await field.press('Escape')
  expect(await options.count()).toBe(0)
  await field.press('Enter')
  await page.getByRole('log').getByText('/he', { exact: true }).waitFor()
  await page.setViewportSize({ width: 360, height: 740 })
  await field.fill('/')
  await options.nth(2).waitFor()
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth),
  ).toBe(false)
  expect(complaints).toEqual([])
})
