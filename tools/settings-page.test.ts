import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { settings } from '../server/src/config/table.ts'
import { pageFile, settingsPage } from './settings-page.ts'

test('docs/settings.md is what `npm run docs:settings` makes of the table of settings', async () => {
  expect(await readFile(pageFile, 'utf8')).toBe(settingsPage())
})

test('the page has every setting once', () => {
  for (const { name } of Object.values(settings))
    expect(settingsPage().split(`| \`${name}\` `)).toHaveLength(2)
})
