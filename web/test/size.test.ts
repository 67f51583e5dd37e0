import { readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

const dist = path.join(import.meta.dirname, '../dist')

test('the first load is under 200 KB of script, and the page has nothing inline', () => {
  const page = readFileSync(path.join(dist, 'index.html'), 'utf8')
  const scripts = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(([, file]) => file!)
  expect(scripts.length).toBeGreaterThan(1)
  const bytes = scripts.map((file) => gzipSync(readFileSync(path.join(dist, file)), { level: 9 }).length)
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(200_000)
  expect(page).not.toMatch(/<style|style=|<script(?![^>]*src=)|\son\w+=/)
})
