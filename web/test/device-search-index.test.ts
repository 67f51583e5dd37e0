// The index of encrypted messages on a device, by itself: it finds what a scan of all messages finds, and shows nothing on the
// disk.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import vectors from '../../docs/encryption-vectors.json' with { type: 'json' }
import type { NewDoc } from '../src/search/docs.ts'
import { findHere, matchIn, queryOf } from '../src/search/find.ts'
import { MessageIndex } from '../src/search/message-index.ts'
import { MemoryDisk, someDoc, someQuery } from './device-search.ts'
import { pairOf } from './vector-keys.ts'

const [alice, bob] = await Promise.all([pairOf(vectors.alice), pairOf(vectors.bob)])
const me = '0xme'

async function openIndex(disk: MemoryDisk, pairs = new Map([['alice', alice]])): Promise<MessageIndex> {
  const index = new MessageIndex(disk, pairs)
  await index.refresh()
  return index
}

async function idsFound(index: MessageIndex, q: string, search = {}): Promise<number[]> {
  const query = queryOf({ q, ...search })
  if (!query) return []
  const ids: number[] = []
  for await (const { facts } of findHere(index, { q, ...search }, query, me)) ids.push(facts.id)
  return ids
}

function idsByScan(docs: Iterable<NewDoc>, q: string): number[] {
  const query = queryOf({ q })
  return query
    ? [...docs]
        .filter((doc) => matchIn(query, doc))
        .map(({ id }) => id)
        .toSorted((a, b) => b - a)
    : []
}

const note = (id: number, text: string, more: Partial<NewDoc> = {}): NewDoc => ({
  id,
  time: id * 1000,
  peer: '0xaa',
  isMine: false,
  hasFile: false,
  hasLink: false,
  hasPicture: false,
  nft: '',
  revision: 0,
  text,
  names: [],
  ...more,
})

const write = (index: MessageIndex, docs: NewDoc[], gone: number[] = []) => index.write(docs, gone, () => {})

test('a search finds what a scan finds, after any messages, edits and deletions, by any tab', async () => {
  const step = fc.record({
    tab: fc.nat(1),
    docs: fc.uniqueArray(fc.record({ id: fc.nat(60), doc: someDoc }), {
      maxLength: 6,
      selector: ({ id }) => id,
    }),
    gone: fc.uniqueArray(fc.nat(60), { maxLength: 2 }),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 25, size: 'max' }),
      fc.array(someQuery, { minLength: 1, maxLength: 6 }),
      async (steps, queries) => {
        const disk = new MemoryDisk()
        const tabs = [await openIndex(disk), await openIndex(disk)]
        const present = new Map<number, NewDoc>()
        for (const { tab, docs, gone } of steps) {
          await tabs[tab]!.refresh()
          const fresh = docs.map(({ id, doc }) => Object.assign(structuredClone(doc), { id }))
          const left = gone.filter((id) => fresh.every((doc) => doc.id !== id))
          expect(await write(tabs[tab]!, fresh, left)).toBe(true)
          for (const doc of fresh) present.set(doc.id, doc)
          for (const id of left) present.delete(id)
        }
        const later = await openIndex(disk)
        for (const index of [...tabs, later]) {
          await index.refresh()
          for (const q of queries) expect(await idsFound(index, q)).toEqual(idsByScan(present.values(), q))
        }
      },
    ),
    { numRuns: 60 },
  )
})

test('filters narrow a search', async () => {
  const index = await openIndex(new MemoryDisk())
  await write(index, [
    note(1, 'the plan', { isMine: true }),
    note(2, 'the plan', { peer: '0xbb', hasFile: true, names: ['map.pdf'] }),
    note(3, 'the plan of it', { nft: '0xnft', hasLink: true, hasPicture: true }),
  ])
  const found = (search: object) => idsFound(index, 'plan', search)
  expect(await found({})).toEqual([3, 2, 1])
  expect(await found({ peer: '0xbb' })).toEqual([2])
  expect(await found({ from: me })).toEqual([1])
  expect(await found({ from: '0xaa' })).toEqual([3])
  expect(await found({ nftaddr: '0xnft' })).toEqual([3])
  expect(await found({ has: 'link' })).toEqual([3])
  expect(await found({ has: 'file' })).toEqual([2])
  expect(await found({ has: 'picture' })).toEqual([3])
  expect(await found({ before: 3 })).toEqual([2, 1])
  expect(await found({ since: new Date(2000).toISOString(), until: new Date(3000).toISOString() })).toEqual([
    2,
  ])
  expect(await found({ chat: 'town' })).toEqual([])
  expect(await idsFound(index, 'map')).toEqual([2])
  expect(await idsFound(index, '', { has: 'file' })).toEqual([2])
})

test('the disk has no word, and nothing of a message that is gone', async () => {
  const disk = new MemoryDisk()
  const index = await openIndex(disk)
  await write(index, [note(1, 'behind the painting'), note(2, 'in the garden', { names: ['garden.png'] })])
  const bytes = disk.bytes().toString('latin1')
  for (const word of ['painting', 'garden', '0xaa']) expect(bytes).not.toContain(word)
  const before = disk.bytes().length
  await write(index, [], [1, 2])
  expect(await idsFound(index, 'garden')).toEqual([])
  expect([...disk.records.keys()].filter((name) => name.startsWith('texts'))).toEqual([])
  expect(disk.bytes().length).toBeLessThan(before)
})

test('with other keys nothing of an index is read: it begins again', async () => {
  const disk = new MemoryDisk()
  await write(await openIndex(disk), [note(1, 'behind the painting')])
  // A page that names its key as the one of the index does not open it.
  await expect(openIndex(disk, new Map([['alice', bob]]))).rejects.toThrow()
  const other = await openIndex(disk, new Map([['bob', bob]]))
  expect(await idsFound(other, 'painting')).toEqual([])
  expect(disk.records.size).toBe(0)
})

test('an index stays readable when the wallet has a newer key', async () => {
  const disk = new MemoryDisk()
  await write(await openIndex(disk), [note(1, 'behind the painting')])
  const both = new Map([
    ['alice', alice],
    ['bob', bob],
  ])
  expect(await idsFound(await openIndex(disk, both), 'painting')).toEqual([1])
})

test('of two tabs with the same state one writes, and a tab of a wallet that has left does not', async () => {
  const disk = new MemoryDisk()
  const [one, other] = [await openIndex(disk), await openIndex(disk)]
  expect(await write(one, [note(1, 'first')])).toBe(true)
  expect(await write(other, [note(1, 'first')])).toBe(false)
  await other.refresh()
  expect(await write(other, [note(2, 'second')])).toBe(true)
  await disk.empty()
  expect(await write(other, [note(3, 'third')])).toBe(false)
  expect(disk.records.size).toBe(0)
})
