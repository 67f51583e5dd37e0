// What the index of a device takes: its bytes on the disk, and the time of a search, with 20,000 messages in a real browser.

import path from 'node:path'
import { build } from 'vite'
import { expect, test } from 'vitest'
import { openPerson } from './person.ts'
import { useSite } from './site.ts'

const site = useSite()
const count = Number(process.env.INDEXED_MESSAGES ?? 20_000)

/** The parts as a script with a global `parts`. */
async function script(): Promise<string> {
  const entry = path.join(import.meta.dirname, 'device-search-parts.ts')
  const made = await build({
    configFile: false,
    logLevel: 'silent',
    build: { write: false, lib: { entry, formats: ['iife'], name: 'parts' } },
  })
  const [{ output } = { output: [] }] = [made].flat() as { output: { code: string }[] }[]
  return output[0]!.code
}

test('a message takes at most 300 bytes, and a search a tenth of a second', async () => {
  await using alice = await openPerson(site.url)
  const { page } = alice
  // The client would delete it, because no wallet is signed in.
  await page.goto('/livez')
  await page.evaluate(`${await script()}; globalThis.parts = parts`)
  const took = await page.evaluate<number>(`parts.fill(${count})`)
  const size = await page.evaluate(async () => {
    const opening = indexedDB.open('parley-kept')
    await new Promise((resolve) => opening.addEventListener('success', resolve, { once: true }))
    const all = opening.result.transaction('search').objectStore('search').getAll()
    await new Promise((resolve) => all.addEventListener('success', resolve, { once: true }))
    const bytes = (all.result as { data: Uint8Array }[]).reduce((sum, { data }) => sum + data.length, 0)
    opening.result.close()
    return { records: all.result.length, bytes, usage: (await navigator.storage.estimate()).usage }
  })
  const queries = ['ka1', 'min2 tel3', '"ka1 ro1"', 'su4', 've', 'dafd7', 'lo6* ka1', 'nothing']
  const { load, each, found } = await page.evaluate<{ load: number; each: number[]; found: number[] }>(
    `parts.search(${JSON.stringify(queries)})`,
  )
  if (process.env.INDEXED_MESSAGES)
    console.info({ count, took, ...size, each: size.bytes / count, load, searches: each, found })
  expect(size.bytes / count).toBeLessThan(300)
  expect(found[0]).toBe(20)
  // Times of a machine that others share are no measure; ten times as long is a fault.
  expect(Math.max(...each)).toBeLessThan(1000)
})
