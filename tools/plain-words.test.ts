// Texts that people read are in plain words: CONTRIBUTING.md has the list of those that are refused, and no other file has one.

import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { refusedWords } from './refused-words.ts'

const root = path.join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')

const pattern = refusedWords({ inDocuments: false })

/** Returns true for texts that wallets sign: another word in one of them would lock what its signature opens. */
const isSigned = (text: string) => text.includes('Sign this only when you use Parley at')

const files = globSync(['{web,server,sdk,react,mcp}/src/**/*.{ts,tsx}'], { cwd: root }).filter(
  (file) => !file.endsWith('.test.ts'),
)

/** Returns true for a statement of the database, or a part of one. */
const isSql = (text: string) =>
  /\b(?:select|insert into|update [\w$]|delete from|from \$|materialized|as told)/.test(text)

/** These attributes are no texts. */
const unread = new Set(['className', 'd', 'id', 'key', 'to', 'href'])

/** Returns the texts of a source that somebody may read: strings, templates and the text of elements, each with its line. */
function textsOf(source: string, file: string): { line: number; text: string }[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true)
  const found: { line: number; text: string }[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return
    if (ts.isJsxAttribute(node) && unread.has(node.name.getText(tree))) return
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node) || ts.isJsxText(node)) {
      const text = node.getText(tree).replaceAll(/\s+/g, ' ')
      // A single word is a name for the compiler or the wire.
      if (/[a-z’'] [a-z]/i.test(text) && !isSql(text) && !isSigned(text))
        found.push({ line: tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1, text })
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}

test('no text of the client, no error of the service and no description of the API has a refused word', () => {
  expect(files.length).toBeGreaterThan(500)
  const slips = files.flatMap((file) =>
    textsOf(read(file), file)
      .filter(({ text }) => pattern.test(text))
      .map(({ line, text }) => `${file}:${line} ${pattern.exec(text)![0]}: ${text.slice(0, 120)}`),
  )
  expect(slips).toEqual([])
})

test('a refused word is found in a string, a template and an element, and not in code, names and statements', () => {
  const words = (source: string) => textsOf(source, 'one.tsx').filter(({ text }) => pattern.test(text)).length
  expect(words('const a = "They are told of it."')).toBe(1)
  expect(words('const a = `Whoever has ${it}`')).toBe(1)
  expect(words('const a = <p>You see it no\n more.</p>')).toBe(1)
  expect(words('const told = lists["told"] // Whoever is told')).toBe(0)
  expect(words('const a = `select told from x`')).toBe(0)
})
