import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.join(import.meta.dirname, '..')

test('every test that docs/security.md names is there', async () => {
  const page = await readFile(path.join(root, 'docs/security.md'), 'utf8')
  const named = [...page.matchAll(/^- `([^`]+\.test\.ts)`: (.+)$/gm)].map(([, file, name]) => [file!, name!])
  expect(named.length).toBeGreaterThan(40)
  const missing: string[] = []
  for (const [file, name] of named) {
    const source = await readFile(path.join(root, file!), 'utf8').catch(() => '')
    if (![`'${name}'`, `"${name}"`, `\`${name}\``].some((quoted) => source.includes(quoted)))
      missing.push(`${file}: ${name}`)
  }
  expect(missing).toEqual([])
})

test('there are twenty threats, and each has its proof', async () => {
  const page = await readFile(path.join(root, 'docs/security.md'), 'utf8')
  const threats = page.split(/^### /m).slice(1)
  expect(threats.map((threat) => Number.parseInt(threat, 10))).toEqual(
    Array.from({ length: 20 }, (_, i) => i + 1),
  )
  expect(threats.filter((threat) => !/^- `/m.test(threat))).toEqual([])
})
