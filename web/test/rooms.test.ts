// The rooms of a community: its owner creates them, members find them beside its chat, read and post.

import { expect, test } from 'vitest'
import { faults } from './axe.ts'
import { arrive, bubble, openPerson, say, visit } from './person.ts'
import { useSite } from './site.ts'
import { newTown } from './talking.ts'

const site = useSite()

test('an owner creates a room and one of news; a member finds both, posts in one and reads in the other why they do not', async () => {
  await using owner = await openPerson(site.url)
  await using member = await openPerson(site.url)
  const { town, asOwner } = await newTown(site, owner, member)
  const { page } = owner

  await arrive(owner, `/c/${town}/moderation`)
  const dialog = page.getByRole('dialog', { name: 'New room' })
  const create = async (title: string, news: boolean) => {
    await page.getByRole('button', { name: 'New room' }).click()
    await dialog.getByLabel('Title').fill(title)
    if (news) await dialog.getByText(/^News: /).click()
    await dialog.getByRole('switch', { name: 'Members join it' }).click()
    await dialog.getByRole('button', { name: 'Create' }).click()
  }
  await create('Tools', false)
  await dialog.waitFor({ state: 'detached' })
  await create('tools', false)
  // The refusal is at the field that is to be changed.
  await dialog.getByText('This community has a room of this name.').waitFor()
  expect(await dialog.getByLabel('Name in links').getAttribute('aria-invalid')).toBe('true')
  expect(await faults(page, { within: 'dialog' }), 'the form').toEqual([])
  await dialog.getByLabel('Title').fill('Town news')
  await dialog.getByText(/^News: /).click()
  await dialog.getByText(`${town}/town-news.`).waitFor()
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.waitFor({ state: 'detached' })
  const titles = () => page.getByRole('list', { name: 'Rooms' }).getByRole('link').allTextContents()
  await expect.poll(titles).toEqual(['Tools', 'Town news'])
  await page.getByRole('button', { name: 'Move Town news up' }).click()
  await expect.poll(titles).toEqual(['Town news', 'Tools'])
  expect(await faults(page), 'the page of moderation').toEqual([])

  await arrive(member, `/c/${town}`)
  const bar = member.page.getByRole('navigation', { name: `Rooms of ${town}` })
  await expect.poll(() => bar.getByRole('link').count()).toBe(3)
  // The rooms that members join are in the inbox from then on.
  const rows = member.page.getByRole('tabpanel')
  await rows.getByText(`Tools · ${town}`).waitFor()
  await asOwner.postGroupMessage({
    body: { fromaddr: owner.address, nftaddr: `${town}/town-news`, message: 'Rain is coming.' },
  })
  await bar.getByRole('link', { name: 'Town news (news) 1 unread' }).click()
  await bubble(member, 'Rain is coming.').waitFor()
  await member.page.getByText('Only the owner and the moderators post news here.').waitFor()
  expect(await member.page.getByRole('textbox', { name: /^Message / }).count()).toBe(0)
  expect(new URL(member.page.url()).pathname).toBe(`/c/${town}/town-news`)
  await member.page.getByText(`in ${town}`, { exact: true }).waitFor()
  expect(await faults(member.page), 'a room of news').toEqual([])
  await expect.poll(() => rows.locator('[aria-current=page]').allTextContents()).toHaveLength(1)

  await bar.getByRole('link', { name: 'Town news (news)', exact: true }).press('ArrowRight')
  await member.page.keyboard.press('Enter')
  await member.page.getByRole('textbox', { name: 'Message Tools' }).waitFor()
  await say(member, 'Who has a spade?')
  await visit(owner, `/c/${town}/tools`)
  await bubble(owner, 'Who has a spade?').waitFor()
  await visit(owner, `/c/${town}/town-news`)
  // The owner posts news.
  await owner.page.getByRole('textbox', { name: 'Message Town news' }).waitFor()

  await asOwner.changeRoom({ nftaddr: `${town}/tools`, body: { archived: true } })
  await visit(member, `/c/${town}`)
  await bar.getByRole('link', { name: 'Tools (archived)' }).click()
  await member.page.getByText('This room is archived.').waitFor()
  // A link from before leads to the same room, and one to none says so.
  await visit(member, `/c/${town}%2Ftools`)
  await bubble(member, 'Who has a spade?').waitFor()
  await visit(member, `/c/${town}/nothing`)
  await member.page.getByText('No such room').waitFor()
  expect([...owner.complaints, ...member.complaints]).toEqual([])
})

test('on a phone the row of many rooms moves alone, to the one that is open', async () => {
  await using member = await openPerson(site.url, { viewport: { width: 375, height: 740 } })
  const { page } = member
  const { town, asOwner } = await newTown(site, member)
  for (let n = 1; n <= 12; n++)
    await asOwner.createRoom({
      community: town,
      body: { room: `r${n}`, title: `Room number ${n}`, kind: 'news' },
    })
  await arrive(member)
  await visit(member, `/c/${town}/r12`)
  const here = page.getByRole('navigation', { name: `Rooms of ${town}` }).locator('[aria-current=page]')
  const isSeen = (element: Element) => {
    const { left, right } = element.getBoundingClientRect()
    return left >= 0 && right <= innerWidth
  }
  await expect.poll(() => here.evaluate(isSeen)).toBe(true)
  expect(await here.textContent()).toContain('Room number 12')
  const head = page.getByRole('heading', { name: 'Room number 12' })
  expect(await head.evaluate(isSeen)).toBe(true)
  expect(await page.getByRole('button', { name: 'Chat options' }).evaluate(isSeen)).toBe(true)
  expect(await faults(page, { screenOnly: true }), 'many rooms').toEqual([])
  // From the keyboard, End goes to the last and Home to the chat of the community.
  await here.press('Home')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: town }).waitFor()
  expect(await here.evaluate(isSeen)).toBe(true)
  expect(member.complaints).toEqual([])
})

test('a room has a door of its own, joins nobody who is not asked, and is offered to those who have not joined it', async () => {
  await using owner = await openPerson(site.url)
  await using member = await openPerson(site.url)
  const { page } = member
  const { town, asOwner } = await newTown(site, owner, member)
  await asOwner.createRoom({ community: town, body: { room: 'council', title: 'Council' } })
  await asOwner.createRoom({ community: town, body: { room: 'about', title: 'All about us' } })
  const nftaddr = `${town}/council`
  await asOwner.setGate({ nftaddr, body: { read: { wallets: [owner.address] } } })
  await arrive(member, `/c/${town}`)
  await page.getByRole('link', { name: 'Council' }).click()
  await page.getByText('You need to be the listed wallet.').waitFor()
  expect(await faults(page), 'the door').toEqual([])
  await asOwner.setGate({ nftaddr, body: { read: { wallets: [owner.address, member.address] } } })
  await page.getByRole('button', { name: 'Check again' }).click()
  await page.getByRole('button', { name: 'Join' }).click()
  await page.getByRole('tabpanel').getByText(`Council · ${town}`).waitFor()
  // A room may have the name of a page.
  await page.getByRole('link', { name: 'All about us' }).click()
  await page.getByRole('textbox', { name: 'Message All about us' }).waitFor()
  expect(member.complaints).toEqual([])
})
