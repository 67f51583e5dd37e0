import { expect, test } from 'vitest'
import { isAlike, isOneApart } from '../src/names/alike.ts'

test.each([
  'Mira Okafor2',
  'Mira Okafor 2',
  'Mira-Okafor',
  'mira_okafor',
  'Mira Okafor (new)',
  'Mira Okafor new wallet',
  'new wallet of Mira Okafor',
  'The real Mira Okafor',
  'realMiraOkafor',
  'MiraOkaforOfficial',
  'miraokaforofficial',
  'Mira Okafor Support',
  'miraokafor.eth',
  'mira.okafor.eth',
  'Okafor Mira',
  'okafor, mira 77',
  'OkaforMira',
  'okaformira',
  'Mira Okafo',
  'Mira Okafoor',
  'Mira Okafar',
  'Mira Okafro',
  'Mira 0kafor',
  'M1ra Okafor',
  'Míra Okáfor',
  '✓ Mira Okafor ✓',
  '🔒 Mira Okafor · verified',
])('%j could be taken for Mira Okafor', (name) => {
  expect(isAlike(name, 'Mira Okafor')).toBe(true)
  expect(isAlike('Mira Okafor', name)).toBe(true)
})

test.each([
  ['Mira', 'Mira Okafor'],
  ['Okafor', 'Mira Okafor'],
  ['Mira Lindqvist', 'Mira Okafor'],
  ['Bob', 'Rob'],
  ['Anna', 'Hanna'],
  ['Support Team', 'Mira Okafor'],
  ['Support', 'Team'],
  ['42', '43'],
  ['', 'Mira'],
  ['Mira', ''],
  ['2', 'Mira'],
  ['print.studio', 'Alice'],
  ['Newton', 'Ton'],
])('%j is another name than %j', (one, other) => expect(isAlike(one, other)).toBe(false))

test.each([
  ['Bob', 'Bob2'],
  ['Bob', 'bob.eth'],
  ['Bob', 'Official Bob'],
  ['Marie', 'Maria'],
  ['李小龍', '李小龍 2'],
  ['Иван Петров', 'Петров Иван'],
  ['Team Support', 'Support Team'],
])('%j could be taken for %j', (one, other) => expect(isAlike(one, other)).toBe(true))

test.each([
  ['abc', 'abc', true],
  ['abc', 'abd', true],
  ['abc', 'acb', true],
  ['abc', 'ab', true],
  ['abc', 'xabc', true],
  ['abc', 'cba', false],
  ['abcd', 'badc', false],
  ['', 'ab', false],
])('%j and %j are one letter apart: %s', (one, other, is) => expect(isOneApart(one, other)).toBe(is))
