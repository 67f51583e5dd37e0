import { expect, test } from 'vitest'
import { newWallet } from '../../testing/service/service.ts'
import { faults } from './axe.ts'
import { arrive, openPerson, visit } from './person.ts'
import { useSite } from './site.ts'

const site = useSite()

const phone = {
  viewport: { width: 320, height: 640 },
  hasTouch: true,
  isMobile: true,
  colorScheme: 'dark',
} as const

/** A picture of the page, where a folder for them is given. */
const shoot = async (page: { screenshot: (options: { path: string }) => Promise<unknown> }, name: string) => {
  const folder = process.env['BOTS_SHOTS']
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` })
}

test.concurrent('a hook is made, its address shown once and copied, posts in its chat, and is deleted', async () => {
  await using alice = await openPerson(site.url, { permissions: ['clipboard-read', 'clipboard-write'] })
  const { page, address } = alice
  const client = await site.service.as(address)
  const nftaddr = `Hooks ${newWallet().slice(2, 8)}`.replace(' ', '-')
  await client.createCommunity({ body: { community: nftaddr } })
  await arrive(alice, '/settings/developer')
  await page.getByRole('button', { name: 'Make a hook' }).click()
  const form = page.getByRole('dialog', { name: 'Make a hook' })
  const make = form.getByRole('button', { name: 'Make the hook' })
  expect(await make.isDisabled()).toBe(true)
  await form.getByLabel('Name', { exact: true }).fill('Builds of my server')
  await form.getByLabel('The chat').fill('nowhere')
  await make.click()
  await form.getByRole('alert').getByText('There is no such chat').waitFor()
  await form.getByLabel('The chat').fill(nftaddr)
  expect(await faults(page)).toEqual([])
  await shoot(page, 'new-hook')
  await make.click()

  const shown = page.getByRole('dialog', { name: 'Copy the address of your hook' })
  const url = (await shown.getByText(/^http.*\/v1\/hooks\/prh_[\w-]{44}$/).textContent())!
  await shown.getByRole('button', { name: 'Copy the address' }).click()
  await page.getByText('Address copied').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(url)
  await shown.getByRole('button', { name: 'Copy the command' }).click()
  await page.getByText('Command copied').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`curl ${url} -H`)
  expect(await faults(page)).toEqual([])
  await shoot(page, 'hook-shown')
  await shown.getByRole('button', { name: 'I have saved it' }).click()
  await page.getByText(`Posts in ${nftaddr}`).waitFor()
  expect(await page.content()).not.toContain(url.slice(-30))

  const post = () =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"text":"The build is green."}',
    })
  expect((await post()).status).toBe(200)
  const posts = await client.listGroupMessages({ address: nftaddr, useraddress: address })
  expect(posts).toMatchObject([{ fromaddr: address, message: 'The build is green.' }])

  await page.getByRole('button', { name: 'Delete the hook Builds of my server' }).click()
  const question = page.getByRole('dialog', { name: 'Delete this hook?' })
  expect(await faults(page)).toEqual([])
  await question.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Delete the hook Builds of my server' }).click()
  await question.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Hook deleted').waitFor()
  await page
    .getByRole('button', { name: 'Delete the hook Builds of my server' })
    .waitFor({ state: 'detached' })
  expect((await post()).status).toBe(404)
  expect(alice.complaints).toEqual([])
})

test.concurrent('a wallet becomes a bot after a warning, and others see it in the inbox, the conversation, its profile and a chat', async () => {
  await using bot = await openPerson(site.url)
  await using bob = await openPerson(site.url)
  const [asBot, asBob] = [await site.service.as(bot.address), await site.service.as(bob.address)]
  const nftaddr = `Bots-${newWallet().slice(2, 8)}`
  await asBob.createCommunity({ body: { community: nftaddr } })
  for (const [client, walletaddr] of [[asBot, bot.address] as const, [asBob, bob.address] as const])
    await client.joinChat({ body: { walletaddr, nftaddr } })
  await arrive(bot, '/settings/developer')
  await bot.page.getByRole('button', { name: 'This wallet is a bot' }).click()
  const question = bot.page.getByRole('dialog', { name: 'Make this wallet a bot?' })
  await question.getByText('This can’t be undone.').waitFor()
  expect(await faults(bot.page)).toEqual([])
  await shoot(bot.page, 'become-bot')
  await question.getByRole('button', { name: 'Cancel' }).click()
  expect(await asBot.getBot()).toEqual({ is_bot: false })
  await bot.page.getByRole('button', { name: 'This wallet is a bot' }).click()
  await question.getByRole('button', { name: 'Make it a bot for good' }).click()
  await bot.page.getByText('This wallet is a bot. Everyone sees that').waitFor()
  expect(await bot.page.getByRole('button', { name: 'This wallet is a bot' }).count()).toBe(0)
  expect(await asBot.getBot()).toEqual({ is_bot: true })
  expect(await faults(bot.page)).toEqual([])

  await asBob.sendDirectMessage({
    body: { fromaddr: bob.address, toaddr: bot.address, message: 'status please' },
  })
  await asBot.sendDirectMessage({
    body: { fromaddr: bot.address, toaddr: bob.address, message: 'all green' },
  })
  await asBot.postGroupMessage({ body: { fromaddr: bot.address, nftaddr, message: 'hello from a program' } })
  await asBob.postGroupMessage({ body: { fromaddr: bob.address, nftaddr, message: 'hello from a person' } })
  await arrive(bob, `/dm/${bot.address}`)
  const { page } = bob
  const mark = (within: ReturnType<typeof page.locator>) => within.getByText('Bot', { exact: true })
  await mark(page.locator('header').filter({ has: page.locator('h1') })).waitFor()
  await mark(page.getByRole('link').filter({ hasText: 'all green' })).waitFor()
  expect(await faults(page)).toEqual([])
  await shoot(page, 'conversation')
  await page.getByRole('button', { name: 'Conversation options' }).click()
  await page.getByRole('menuitem', { name: 'View profile' }).click()
  const profile = page.getByRole('dialog', { name: 'Profile' })
  await mark(profile).first().waitFor()
  await profile.getByText('This is a program.').waitFor()
  await shoot(page, 'profile')
  await page.keyboard.press('Escape')

  await visit(bob, `/c/${nftaddr}`)
  await page.getByText('hello from a program').first().waitFor()
  await mark(page.getByRole('main')).first().waitFor()
  await shoot(page, 'chat')
  await visit(bob, `/c/${nftaddr}/about`)
  await mark(page.getByRole('main').getByRole('listitem').filter({ hasNotText: '(you)' })).waitFor()
  expect(await mark(page.getByRole('listitem').filter({ hasText: '(you)' })).count()).toBe(0)
  await shoot(page, 'members')
  expect(bob.complaints).toEqual([])
})

test.concurrent('on a phone the card, its dialogs and the marks fit', async () => {
  await using alice = await openPerson(site.url, phone)
  const { page, address } = alice
  const client = await site.service.as(address)
  const nftaddr = newWallet()
  const label = `a-very-long-name-without-any-space-${'x'.repeat(60)}`
  await client.createIncomingHook({ body: { label, nftaddr } })
  await arrive(alice)
  await visit(alice, '/settings/developer')
  await page.getByText(label).scrollIntoViewIfNeeded()
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(await overflow()).toBeLessThanOrEqual(0)
  expect(await faults(page)).toEqual([])
  await shoot(page, 'phone-card')
  await page.getByRole('button', { name: 'Make a hook' }).click()
  const form = page.getByRole('dialog', { name: 'Make a hook' })
  await form.getByLabel('Name', { exact: true }).fill('Phone')
  await form.getByLabel('The chat').fill(nftaddr)
  await form.getByRole('button', { name: 'Make the hook' }).click()
  const shown = page.getByRole('dialog', { name: 'Copy the address of your hook' })
  await shown.getByText(/^http/).waitFor()
  expect(await shown.evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth)).toBeLessThanOrEqual(0)
  expect(await faults(page)).toEqual([])
  await shoot(page, 'phone-hook')
  await shown.getByRole('button', { name: 'I have saved it' }).click()
  await page.getByRole('button', { name: 'This wallet is a bot' }).click()
  const question = page.getByRole('dialog', { name: 'Make this wallet a bot?' })
  expect(await question.evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth)).toBeLessThanOrEqual(0)
  expect(await faults(page)).toEqual([])
  await shoot(page, 'phone-bot')
})
