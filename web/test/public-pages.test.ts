// A community that everybody reads: its owner opens it, its members see it, and a visitor without a wallet reads its page.

import { test } from 'vitest'
import { faults } from './axe.ts'
import { arrive, openPerson, say, visit } from './person.ts'
import { useSite } from './site.ts'
import { newTown } from './talking.ts'

const site = useSite({ publicPagesNotice: 0 })

test('an owner opens a community; members read that; a visitor reads the page without script and joins from there', async ({
  expect,
}) => {
  await using owner = await openPerson(site.url)
  await using visitor = await openPerson(site.url)
  const { town } = await newTown(site, owner)
  const { page } = owner
  await arrive(owner, `/c/${town}/moderation`)
  await page.getByRole('switch', { name: 'Anyone can read this' }).click()
  await page.getByRole('switch', { name: 'Let search engines list the page' }).waitFor()
  const [preview] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('link', { name: new RegExp(`/c/${town}`) }).click(),
  ])
  await preview.getByRole('heading', { name: town }).waitFor()
  await preview.close()
  await visit(owner, `/c/${town}`)
  await page.getByText('Anyone can read what is written here, without signing in.').waitFor()
  await say(owner, 'open **house** today')
  // The page that a visitor reads shows what is stored when it is made, and does not change later.
  await page.getByRole('log').getByRole('img', { name: 'Sent' }).waitFor()
  expect(await faults(page)).toEqual([])

  // A browser in which nobody is signed in reads the page, and comes to the door of the client by its button.
  await visitor.page.goto(`${site.url}/c/${town}`)
  await visitor.page.getByText('open house today').waitFor()
  await visitor.page.getByText('Member 1').waitFor()
  expect(await visitor.page.content()).not.toContain(owner.address)
  expect(await faults(visitor.page)).toEqual([])
  await visitor.page.getByRole('link', { name: 'Join' }).click()
  await visitor.page.getByRole('heading', { name: `You’re invited to ${town}` }).waitFor()
  // The mark that opened the client is taken away when the client has run.
  await visitor.page.waitForURL(({ search }) => search === '')

  // A name shows by choice alone.
  await page.getByRole('link', { name: 'Your name' }).click()
  const choice = page.getByRole('switch', { name: 'Show my name on public pages' })
  await choice.click()
  await page
    .getByRole('switch', { name: 'Show my name on public pages', checked: true, disabled: false })
    .waitFor()
  await visitor.page.goto(`${site.url}/c/${town}`)
  await visitor.page.getByText(owner.address.slice(0, 6)).waitFor()
  expect([...owner.complaints, ...visitor.complaints]).toEqual([])
})
