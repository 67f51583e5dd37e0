import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

const dist = path.join(import.meta.dirname, '../dist')

const packed = (file: string) => gzipSync(readFileSync(path.join(dist, file)), { level: 9 }).length
const sum = (sizes: number[]) => sizes.reduce((total, size) => total + size, 0)

test('the first load is under 200 KB of scripts and styles, and the page has nothing inline', () => {
  const page = readFileSync(path.join(dist, 'index.html'), 'utf8')
  const files = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+\.(?:js|css))"/g)].map(([, file]) => file!)
  expect(files.length).toBeGreaterThan(2)
  expect(sum(files.map(packed))).toBeLessThan(200_000)
  // What the contract says to readers of the docs is not part of it.
  for (const file of files)
    expect(readFileSync(path.join(dist, file), 'utf8')).not.toContain('The recipient need not have')
  expect(page).not.toMatch(/<style|style=|<script(?![^>]*src=)|\son\w+=/)
})

test('the font is 32 KB for what is written in Latin letters, and nothing waits for it', () => {
  const assets = readdirSync(path.join(dist, 'assets'))
  const latin = assets.filter((name) => /-latin-wght-normal.*\.woff2$/.test(name))
  expect(latin).toHaveLength(1)
  expect(readFileSync(path.join(dist, 'assets', latin[0]!)).length).toBeLessThan(32_000)
  // Other alphabets of the font are files of their own, which are read where they occur.
  const styles = readFileSync(
    path.join(
      dist,
      'assets',
      assets.find((name) => name.endsWith('.css'))!,
    ),
    'utf8',
  )
  const faces = styles.match(/@font-face\{[^}]*\}/g)!
  expect(faces.length).toBeGreaterThan(1)
  for (const face of faces) expect(face).toMatch(/font-display:optional.*unicode-range:/)
})

test('no file of scripts imports one that imports it: neither could begin before the other', () => {
  const assets = path.join(dist, 'assets')
  const scripts = readdirSync(assets).filter((name) => name.endsWith('.js'))
  const imports = new Map(
    scripts.map((name) => {
      const script = readFileSync(path.join(assets, name), 'utf8')
      return [name, [...script.matchAll(/(?:from|\bimport)"\.\/([^"]+)"/g)].map(([, other]) => other!)]
    }),
  )
  expect([...imports.values()].flat().length).toBeGreaterThan(scripts.length)
  const reached = (name: string, seen = new Set<string>()): Set<string> => {
    for (const other of imports.get(name) ?? [])
      if (!seen.has(other)) {
        seen.add(other)
        reached(other, seen)
      }
    return seen
  }
  expect(scripts.filter((name) => reached(name).has(name))).toEqual([])
})
