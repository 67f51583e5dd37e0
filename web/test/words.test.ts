// Every value of the interface that people are shown has words.

import type { ModerationAction } from '@parley/sdk'
import { grantNotices } from '@parley/sdk/contract/grants.ts'
import { Action, noticed } from '@parley/sdk/contract/moderation-actions.ts'
import { formsOf, wideScopes } from '@parley/sdk/contract/scopes.ts'
import { expect, test } from 'vitest'
import { scopeOf, scopeWords, type WideScope } from '../src/api-keys/scope-labels.ts'
import { noticeWords } from '../src/moderation/notice-words.ts'
import { actions, logged } from '../src/operator/labels.ts'

test('every action of operators has words, a key of its own, and words in the log', () => {
  const { anyOf } = Action as unknown as { anyOf: { const: ModerationAction }[] }
  const names = anyOf.map(({ const: name }) => name)
  for (const name of names) {
    const { label, letter, effect, done } = actions[name]
    expect([label, letter, effect, done].every(Boolean), name).toBe(true)
    expect(logged(name), name).toBe(done)
  }
  expect(new Set(names.map((name) => actions[name].letter)).size).toBe(names.length)
  // These move about in the console.
  for (const key of ['j', 'k', 'u']) expect(names.filter((name) => actions[name].letter === key)).toEqual([])
  for (const event of ['view', 'operator_add', 'operator_remove']) expect(logged(event)).not.toBe(event)
})

test('a wallet reads of every action that it is told of', () => {
  const names = [...noticed, ...Object.values(grantNotices)]
  for (const name of names) expect(noticeWords[name], name).toBeTruthy()
  expect(Object.keys(noticeWords)).toHaveLength(names.length)
})

test('every scope of an API key has words, and a narrow one is written as the contract writes it', () => {
  for (const name of wideScopes as readonly WideScope[]) {
    const { label, only } = scopeWords[name]
    expect(label, name).toBeTruthy()
    const [, form] = formsOf([name])
    expect(only !== undefined, name).toBe(form !== undefined)
    if (form) expect(scopeOf(name, 'x')).toBe(form.replace(/<\w+>/, 'x'))
    expect(scopeOf(name, '  ')).toBe(name)
  }
  expect(Object.keys(scopeWords)).toHaveLength(wideScopes.length)
})
