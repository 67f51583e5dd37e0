// The directory of communities: an owner says what a community is about, and somebody new finds and joins it.

import { expect, test } from 'vitest'
import { arrive, eventually, openPerson } from './person.ts'
import { useSite } from './site.ts'
import { newTown } from './talking.ts'

const site = useSite()

test('an owner writes what a community is about, and a newcomer finds it by words and by tags and joins', async () => {
  await using owner = await openPerson(site.url)
  await using newcomer = await openPerson(site.url)
  const { town } = await newTown(site, owner)
  const { town: other } = await newTown(site, owner)

  await arrive(owner, `/c/${town}/about`)
  const form = owner.page.locator('form').filter({ hasText: 'Show in the directory' })
  await form.getByLabel('Description').fill('We grow vegetables on roofs.')
  await form.getByLabel('Tags').fill('Urban Gardens, food')
  // The preview is what others are going to see.
  await form.getByRole('region', { name: 'Preview' }).getByText('We grow vegetables on roofs.').waitFor()
  await form.getByRole('button', { name: 'Save' }).click()
  await owner.page.getByText('Saved').waitFor()
  await owner.page.getByRole('link', { name: 'urban-gardens' }).waitFor()

  const { page } = newcomer
  await arrive(newcomer, '/communities')
  const card = (name: string) => page.getByRole('article').filter({ hasText: name })
  await card(other).waitFor()
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
})
