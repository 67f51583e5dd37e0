// No file is part of an import cycle, also where it is imported when it is needed (`import()`), which the lint does not follow.

import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.join(import.meta.dirname, '..')

/** Returns the files below a folder, each with those that it imports. */
async function importsOf(folder: string): Promise<Map<string, string[]>> {
  const names = await readdir(path.join(root, folder), { recursive: true })
  const files = new Set(
    names
      .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.test.ts'))
      .map((name) => path.join(folder, name)),
  )
  const imports = await Promise.all(
    Array.from(files, async (file): Promise<[string, string[]]> => {
      const text = await readFile(path.join(root, file), 'utf8')
      const found = Array.from(text.matchAll(/(?:\bfrom |\bimport\()\s*'(\.[^']+)'/g), ([, to]) =>
        path.join(path.dirname(file), to!),
      )
      return [file, found.filter((one) => files.has(one))]
    }),
  )
  return new Map(imports)
}

/** Returns the first cycle that is found from a file; `done` are files that lead to none. */
function cycleFrom(
  file: string,
  imports: Map<string, string[]>,
  done: Set<string>,
  way: string[] = [],
): string[] {
  if (way.includes(file)) return [...way.slice(way.indexOf(file)), file]
  for (const next of done.has(file) ? [] : imports.get(file)!) {
    const cycle = cycleFrom(next, imports, done, [...way, file])
    if (cycle.length > 0) return cycle
  }
  done.add(file)
  return []
}

test.each(['sdk/src', 'server/src', 'web/src', 'mcp/src', 'react/src'])(
  'no file of %s imports itself by way of others',
  async (folder) => {
    const imports = await importsOf(folder)
    expect(imports.size).toBeGreaterThan(3)
    const done = new Set<string>()
    for (const file of imports.keys()) expect(cycleFrom(file, imports, done)).toEqual([])
  },
)

test('a cycle is found', () => {
  const imports = new Map([
    ['a', ['b', 'c']],
    ['b', []],
    ['c', ['b', 'd']],
    ['d', ['c']],
  ])
  expect(cycleFrom('a', imports, new Set())).toEqual(['c', 'd', 'c'])
})

/** Each of these makes its object with a getter once for an instance of the service, or for a reader of its log. */
const madeOnce = [
  'cluster/cluster-log.ts',
  'cluster/cursor.ts',
  'cluster/log.ts',
  'db/embedded/reserve.ts',
  'db/standby-lag.ts',
  'db/standby.ts',
  'live/audience.ts',
  'live/reader.ts',
]

// V8 makes a hidden class for each object literal with a getter. Made for each request, these held all that the request had in
// memory until the old space was collected, and sends cost a third more CPU. A class has its getter once.
test('no object literal with a getter is made for a request', async () => {
  const folder = path.join(root, 'server/src')
  const names = (await readdir(folder, { recursive: true })).filter((name) => /(?<!\.test)\.ts$/.test(name))
  const texts = await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8')))
  // Getters of classes at the top of a file are indented by two.
  const found = names.filter((_, n) => /^ {4,}get \w+\(\)/m.test(texts[n]!))
  expect(found.toSorted()).toEqual(madeOnce)
})
