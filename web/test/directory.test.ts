// The directory of communities: an owner says what a community is about, and somebody new finds and joins it.

import { expect, test } from 'vitest'
import { faults } from './axe.ts'
import { newName } from '../../testing/service/service.ts'
import { arrive, eventually, openPerson, visit } from './person.ts'
import { useSite } from './site.ts'
import { newTown } from './talking.ts'

const site = useSite()

test('an owner writes what a community is about, and a newcomer finds it by words and by tags and joins', async () => {
  await using owner = await openPerson(site.url)
  await using newcomer = await openPerson(site.url)
  const { town: other } = await newTown(site, owner)

  const town = newName('roofs')
  await arrive(owner, '/communities/new')
  await owner.page.getByLabel('Name', { exact: true }).fill(town)
  await owner.page.getByLabel('Description').fill('We grow flowers.')
  await owner.page.getByLabel('Tags').fill('Urban Gardens, food')
  await owner.page.getByRole('button', { name: 'Create community' }).click()
  // The chat that nobody has written in has its link, to invite people.
  await owner.page.getByRole('heading', { name: 'Invite people' }).waitFor()

  await visit(owner, `/c/${town}/about`)
  await owner.page.getByRole('link', { name: 'urban-gardens' }).waitFor()
  const form = owner.page.locator('form').filter({ hasText: 'Show in the directory' })
  await form.getByLabel('Description').fill('We grow vegetables on roofs.')
  // The preview is what others are going to see.
  await form.getByRole('region', { name: 'Preview' }).getByText('We grow vegetables on roofs.').waitFor()
  await form.getByRole('button', { name: 'Save' }).click()
  await owner.page.getByText('Saved').waitFor()

  const { page } = newcomer
  await arrive(newcomer, '/communities')
  const card = (name: string) => page.getByRole('article').filter({ hasText: name })
  await card(other).waitFor()
  expect(await faults(page)).toEqual([])
  const search = page.getByRole('searchbox', { name: 'Find a community by name, description or tag' })
  await search.fill('vegetab')
  await card(town).getByText('Open to everybody').waitFor()
  await eventually(
    () => page.getByRole('article').count(),
    (count) => expect(count).toBe(1),
  )
  await search.fill('nobody has written this')
  await page.getByText('No community found').waitFor()
  await page.getByRole('button', { name: 'Show all' }).click()
  await card(town).getByRole('button', { name: 'Show communities with the tag food' }).click()
  await eventually(
    () => page.getByRole('article').count(),
    (count) => expect(count).toBe(1),
  )
  expect(new URL(page.url()).searchParams.get('tag')).toBe('food')
  await page.getByRole('button', { name: `Join ${town}` }).click()
  await card(town).getByText('Joined').waitFor()
  await card(town).getByText('2 members').waitFor()
  expect([...owner.complaints, ...newcomer.complaints]).toEqual([])
})
