// A checker that never finds anything would pass every drill. So it gets correct histories, and one history per fault.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkChanges } from './changes.ts'
import { checkRoom, checkWatched, type Item } from './checker.ts'
import type { Entry } from './ledger.ts'

const room = '0xa 0xb'
const clock = (n: number) => new Date(1_800_000_000_000 + n).toISOString()

/** Makes a history of messages that were sent one after the other, and the list that shows them. */
const history = fc
  .array(fc.record({ acknowledged: fc.boolean(), stored: fc.boolean(), marked: fc.boolean() }), {
    minLength: 3,
    maxLength: 12,
  })
  .map((messages) => {
    const entries: Entry[] = []
    const listed: Item[] = []
    for (const [i, { acknowledged, stored, marked }] of messages.entries()) {
      const known = { id: 10 + i, timestamp: clock(i) }
      const entry: Entry = { key: `k${i}`, room, from: '0xa', intended: 2 * i, intendedAt: 0 }
      if (acknowledged) entry.acknowledged = { order: 2 * i + 1, at: 0, ...known }
      if (acknowledged && marked) entry.mark = 'acknowledged'
      entries.push(entry)
      if (acknowledged || stored)
        listed.push({ ...known, fromaddr: '0xa', message: `k${i} gm`, read: acknowledged && marked })
    }
    return { entries, listed }
  })
  .filter(({ entries, listed }) => listed.length >= 2 && entries.some((entry) => entry.acknowledged))

const kinds = (violations: { kind: string }[]) => [...new Set(violations.map(({ kind }) => kind))]

test('a correct history has no violation, whether an unacknowledged message was stored or not', () => {
  fc.assert(
    fc.property(history, ({ entries, listed }) => {
      expect(checkRoom(room, entries, listed)).toEqual([])
      expect(checkWatched('somebody', listed, listed)).toEqual([])
    }),
  )
})

test('each fault is found, wherever it is', () => {
  fc.assert(
    fc.property(history, fc.nat(), ({ entries, listed }, n) => {
      const acknowledged = entries.filter((entry) => entry.acknowledged)
      const victim = acknowledged[n % acknowledged.length]!
      const at = n % listed.length
      const without = (id: number) => listed.filter((item) => item.id !== id)
      const one = listed[at]!
      const later = { ...one, id: 99, timestamp: clock(99) }

      expect(kinds(checkRoom(room, entries, without(victim.acknowledged!.id)))).toContain('lost')
      expect(kinds(checkRoom(room, entries, [...listed, later]))).toContain('duplicated')
      expect(kinds(checkRoom(room, entries, [...listed, { ...later, message: 'nobody' }]))).toEqual([
        'phantom',
      ])
      const forged = listed.map((item, i) => (i === at ? { ...item, fromaddr: '0xc' } : item))
      expect(kinds(checkRoom(room, entries, forged))).toEqual(['phantom'])
      expect(kinds(checkRoom(room, entries, listed.toReversed()))).toEqual(['out of order'])
      const sameTime = listed.map((item) => ({ ...item, timestamp: clock(0) }))
      expect(kinds(checkRoom(room, entries, sameTime))).toContain('out of order')
      const flipped = listed.map((item) => ({ ...item, read: !item.read }))
      expect(kinds(checkRoom(room, entries, flipped))).toEqual(['count'])
      expect(kinds(checkWatched('somebody', without(one.id), listed))).toEqual(['gap'])
      expect(kinds(checkWatched('somebody', [...listed, one], listed))).toContain('gap')
      expect(kinds(checkWatched('somebody', listed.toReversed(), listed))).toEqual(['out of order'])
    }),
  )
})

test('an answer that is earlier than what was known before it was asked for is out of order', () => {
  const entry = (key: string, intended: number, order: number, n: number): Entry => ({
    key,
    room,
    from: '0xa',
    intended,
    intendedAt: 0,
    acknowledged: { order, at: 0, id: n, timestamp: clock(n) },
  })
  const [late, early] = [entry('late', 0, 1, 2), entry('early', 2, 3, 1)]
  const listed = [early, late].map(({ key, acknowledged }) => {
    const { id, timestamp } = acknowledged!
    return { id, timestamp, fromaddr: '0xa', message: key }
  })
  expect(kinds(checkRoom(room, [late, early], listed))).toEqual(['out of order'])
})

test('of edits, replies, reactions and files, what is lost or doubled is found', () => {
  const entry: Entry = {
    key: 'k',
    room,
    from: '0xa',
    intended: 0,
    intendedAt: 0,
    replyTo: 9,
    files: [{ id: 'f', size: 3, sha256: '' }],
    // The second edit has no response: it may be stored or not. So has the second set of the first wallet.
    edits: [
      { text: 'k one', acknowledged: true },
      { text: 'k two', acknowledged: false },
    ],
    reactions: new Map([
      [
        '0xa',
        [
          { values: ['a'], acknowledged: true },
          { values: [], acknowledged: false },
        ],
      ],
      ['0xb', [{ values: ['a', 'b'], acknowledged: true }]],
    ]),
  }
  const files = [{ id: 'f', size: 3 }]
  const item = { id: 10, timestamp: clock(0), fromaddr: '0xa', reply_to: 9, files }
  const counted = (a: number, b: number) => [
    { value: 'a', count: a },
    { value: 'b', count: b },
  ]
  const edited = { ...item, message: 'k one', revision: 1, reactions: counted(2, 1) }
  const found = (changed: Partial<Item>) => kinds(checkChanges(room, [entry], [{ ...edited, ...changed }]))
  expect(found({})).toEqual([])
  expect(found({ message: 'k two', revision: 2, reactions: counted(1, 1) })).toEqual([])
  expect(found({ message: 'k first', revision: 0 })).toEqual(['lost'])
  expect(found({ message: 'k two', revision: 3 })).toEqual(['duplicated'])
  expect(found({ message: 'k two' })).toEqual(['lost'])
  expect(found({ reply_to: 8 })).toEqual(['lost'])
  for (const other of [[], [...files, ...files], [{ id: 'f', size: 4 }], [{ id: 'g', size: 3 }]])
    expect(found({ files: other })).toEqual(['lost'])
  expect(found({ reactions: counted(2, 2) })).toEqual(['duplicated'])
  expect(found({ reactions: [{ value: 'a', count: 2 }] })).toEqual(['lost'])
  expect(found({ reactions: [...counted(2, 1), { value: 'c', count: 1 }] })).toEqual(['duplicated'])
})
