// The documents name only what exists: files of the code, tests that prove what they say, other documents. And their words are
// plain.

import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { refusedWords } from './refused-words.ts'
import { createIds } from '../web/docs-index.mjs'

const root = path.join(import.meta.dirname, '..')
const textOf = (file: string) => readFileSync(path.join(root, file), 'utf8')
const documents = globSync(['*.md', 'docs/*.md', '{sdk,react,server,mcp,examples}/**/README.md'], {
  cwd: root,
  exclude: ['**/node_modules', '**/dist'],
})
const files = globSync(
  '{.ci,bench,deploy,docs,drills,examples,mcp,react,sdk,server,testing,tools,web}/**/*.{ts,tsx,mjs,sql,md,sh}',
  {
    cwd: root,
    exclude: ['**/node_modules', '**/dist'],
  },
).map((file) => `/${file}`)
// A reader writes these programs.
const ofReaders = new Set(['bot.ts', 'hello.ts', 'listen.ts', 'community.ts', 'shop.ts', 'chat.tsx'])

test('every file that a document names exists', () => {
  const lost: string[] = []
  for (const document of documents)
    for (const [, name] of textOf(document).matchAll(/`([\w@./-]+\.(?:tsx?|mjs|sql|md|sh))`/g)) {
      // A document may leave out the first folders.
      const ending = `/${name!.replace(/^[./]+/, '')}`
      const exists = existsSync(path.join(root, ending)) || files.some((file) => file.endsWith(ending))
      if (!exists && !ofReaders.has(name!)) lost.push(`${document}: ${name}`)
    }
  expect(documents.length).toBeGreaterThan(25)
  expect(lost).toEqual([])
})

/** Returns the ids of the headings of a document. */
function idsIn(document: string): Set<string> {
  const ids = createIds()
  const text = textOf(document).replace(/^```[\s\S]*?^```/gm, '')
  return new Set([...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => ids(heading!)))
}

test('every link between documents leads to a file and a heading', () => {
  const lost: string[] = []
  for (const document of documents)
    for (const [, link] of textOf(document).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^(https?|mailto):/.test(link!)) continue
      const [to, hash] = link!.split('#')
      const target = to ? path.join(path.dirname(document), to) : document
      const leads = existsSync(path.join(root, target)) && (!hash || idsIn(target).has(hash))
      if (!leads) lost.push(`${document}: ${link}`)
    }
  expect(lost).toEqual([])
})

test('no document has a word that CONTRIBUTING.md refuses', () => {
  const pattern = refusedWords({ inDocuments: true })
  const refused = documents.flatMap((document) => {
    const text = textOf(document)
      .replace(/^```[\s\S]*?^```/gm, '')
      .replace(/`[^`\n]+`/g, '')
    return text
      .split('\n')
      .filter((line) => pattern.test(line))
      .map((line) => `${document}: ${line}`)
  })
  expect(refused).toEqual([])
})

test('there are twenty threats, and each names its tests', () => {
  const main = textOf('docs/security.md').split('## The twenty main threats')[1]!.split(/^## /m)[0]!
  const threats = main.split(/^### /m).slice(1)
  expect(threats.map((threat) => Number.parseInt(threat, 10))).toEqual(
    Array.from({ length: 20 }, (_, i) => i + 1),
  )
  expect(threats.filter((threat) => !/^Tests: `/m.test(threat))).toEqual([])
})
