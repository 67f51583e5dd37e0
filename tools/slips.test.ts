// These tests find slips that neither the compiler nor the linter sees.

import { globSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.join(import.meta.dirname, '..')
const files = globSync('{bench,drills,sdk,server,testing,tools,web}/**/*.{ts,tsx,mjs}', {
  cwd: root,
  exclude: ['**/node_modules', '**/dist'],
})

test('no two migrations have the same number', () => {
  const numbers = readdirSync(path.join(root, 'server/migrations')).map((name) => name.slice(0, 4))
  const twice = numbers.filter((number, i) => numbers.indexOf(number) !== i)
  expect(twice).toEqual([])
})

test('every doc comment stands before what it describes', () => {
  expect(files.length).toBeGreaterThan(100)
  const slips = files.flatMap((file) =>
    slipsOf(readFileSync(path.join(root, file), 'utf8')).map((line) => `${file}:${line}`),
  )
  expect(slips).toEqual([])
})

/**
 * Returns the lines of doc comments that are followed by another one, an empty line, a closing bracket or nothing.
 */
function slipsOf(source: string): number[] {
  const docComment = /^[ \t]*\/\*\*(?:[^*]|\*(?!\/))*\*\/[ \t]*\n/gm
  const describesNothing = /^[ \t]*(\n|\/\*\*|[)\]}]|$)/
  return [...source.matchAll(docComment)]
    .filter(({ 0: comment, index }) => describesNothing.test(source.slice(index + comment.length)))
    .map(({ index }) => source.slice(0, index).split('\n').length)
}

test('a doubled, a lonely and a dangling doc comment are found', () => {
  expect(slipsOf('/** One. */\n/** Two. */\nconst a = 1\n')).toEqual([1])
  expect(slipsOf('const a = 1\n\n/**\n * One.\n */\n\nconst b = 2\n')).toEqual([3])
  expect(slipsOf('const a = {\n  b: 1,\n  /** One. */\n}\n')).toEqual([3])
  expect(slipsOf('/** One. */\n')).toEqual([1])
  expect(slipsOf('/**\n * One * two.\n */\nconst a = 1\n')).toEqual([])
})
