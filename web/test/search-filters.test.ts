import { expect, test } from 'vitest'
import {
  completionsOf,
  filtersIn,
  type Known,
  labelOf,
  pendingIn,
  searchFor,
  unknownIn,
} from '../src/search/filters.ts'

const [mira, town] = [`0x${'a'.repeat(40)}`, 'night-market']
const known: Known = [
  { label: 'Mira Jones', address: mira, isChat: false },
  { label: town, address: town, isChat: true },
]
const solana = '7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs'
const stranger = `0x${'B'.repeat(40)}`

test.each([
  ['paid from:mira-jones ', 'paid ', { from: mira }],
  ['from:"Mira Jones" paid', 'paid', { from: mira }],
  [`paid from:${stranger} now`, 'paid now', { from: stranger.toLowerCase() }],
  [`paid from:${solana} now`, 'paid now', { from: solana }],
  ['paid in:night-market ', 'paid ', { chat: town }],
  ['in:mira-jones paid', 'paid', { peer: mira }],
  [`in:${town} from:mira-jones has:link paid`, 'paid', { chat: town, from: mira, has: 'link' }],
  ['HAS:links ', '', { has: 'link' }],
  ['paid has:file ', 'paid ', { has: 'file' }],
  ['paid has:pictures ', 'paid ', { has: 'picture' }],
])('%s is words and filters', (typed, text, expected) => {
  const { text: rest, found } = filtersIn(typed, known)
  expect(rest).toBe(text)
  expect(searchFor(rest, found)).toEqual({ q: text.trim(), ...expected })
})

test('before and after a day leave that day out, since and until include it', () => {
  const timesOf = (typed: string) => {
    const { since, until } = searchFor('paid', filtersIn(`${typed} `, known).found)!
    return [since, until].map((time) => time && new Date(time).toLocaleString('sv'))
  }
  expect(timesOf('after:2026-10-31')).toEqual(['2026-11-01 00:00:00', undefined])
  expect(timesOf('since:2026-11-01')).toEqual(['2026-11-01 00:00:00', undefined])
  expect(timesOf('before:2026-11-01')).toEqual([undefined, '2026-11-01 00:00:00'])
  expect(timesOf('until:2026-10-31')).toEqual([undefined, '2026-11-01 00:00:00'])
})

test.each([
  ['from:nobody ', 'Nobody in your chats is called “nobody”.'],
  ['from:night-market ', 'Nobody in your chats is called “night-market”.'],
  ['in:nowhere ', 'You have no chat that is called “nowhere”.'],
  ['has:wings ', 'Messages are searched for has:link, has:file and has:picture.'],
  ['before:2026-13-01 ', '“2026-13-01” is no day'],
])('%s stays text, and the reader learns why', (typed, why) => {
  expect(filtersIn(typed, known)).toEqual({ text: typed, found: [] })
  expect(unknownIn(typed)).toContain(why)
})

test('an operator that is being typed becomes no filter yet, and its endings are offered', () => {
  expect(filtersIn('paid from:mi', known).found).toEqual([])
  const pending = pendingIn('paid from:jon')!
  expect(pending).toEqual({ kind: 'from', typed: 'jon', before: 'paid ' })
  expect(completionsOf('from', 'jon', known).map(labelOf)).toEqual(['From Mira Jones'])
  expect(completionsOf('in', '', known).map(labelOf)).toEqual(['In Mira Jones', 'In night-market'])
  expect(completionsOf('has', 'li', known).map(labelOf)).toEqual(['Has a link'])
  expect(completionsOf('has', '', known).map(labelOf)).toEqual(['Has a file', 'Has a link', 'Has a picture'])
  expect(pendingIn('https://example.org')).toBeUndefined()
})

test('one letter is too little, except where it is a word or a filter finds enough', () => {
  expect(searchFor('a', [])).toBeUndefined()
  expect(searchFor('', [{ kind: 'from', address: mira, label: 'Mira' }])).toBeUndefined()
  expect(searchFor('書', [])).toEqual({ q: '書' })
  expect(searchFor('', [{ kind: 'has', has: 'file' }])).toEqual({ q: '', has: 'file' })
})
