// What the index of a device has after anything that may happen to conversations, tabs and their steps.

import type { ChatItem } from '@parley/sdk'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import vectors from '../../docs/encryption-vectors.json' with { type: 'json' }
import { MissingKey, scheme } from '../src/keys/crypto/scheme.ts'
import { findHere, queryOf } from '../src/search/find.ts'
import { countOf } from '../src/search/index-state.ts'
import { MessageIndex } from '../src/search/message-index.ts'
import { noticePage, onNoticed } from '../src/search/noticed.ts'
import type { Change, Source } from '../src/search/source.ts'
import { type Step, Walk } from '../src/search/walk.ts'
import { MemoryDisk } from './device-search.ts'
import { pairOf } from './vector-keys.ts'

const alice = await pairOf(vectors.alice)
const me = '0xme'
const peers = ['0xaa', '0xbb', '0xcc']
const hour = 3_600_000

/** The conversations of a wallet, as the service has them. */
class World {
  now = 1_700_000_000_000
  items: ChatItem[] = []
  hidden = new Set<string>()
  /** These do not open here. */
  locked = new Set<number>()
  private next = 1

  send(peer: string, text: string, isSealed = true): ChatItem {
    const timestamp = new Date((this.now += 1000)).toISOString()
    const sealed = { encrypted_sym_x_key: 'key', x_access_conditions: JSON.stringify({ scheme }) }
    const item: ChatItem = {
      id: this.next++ * 64,
      fromaddr: peer,
      toaddr: me,
      message: text,
      read: true,
      sender_name: '',
      timestamp,
      timestamp_dtm: timestamp,
      ...(isSealed && sealed),
    }
    this.hidden.delete(peer)
    this.items.push(item)
    return item
  }

  edit(id: number, text: string): ChatItem {
    const item = this.items.find((one) => one.id === id)!
    Object.assign(item, { message: text, revision: (item.revision ?? 0) + 1 })
    return { ...item }
  }

  private of(peer: string): ChatItem[] {
    return this.items.filter(({ fromaddr }) => fromaddr === peer && !this.hidden.has(peer))
  }

  /** What a search has to find. */
  sealed(): ChatItem[] {
    return peers
      .flatMap((peer) => this.of(peer))
      .filter(({ id, encrypted_sym_x_key }) => encrypted_sym_x_key && !this.locked.has(id))
      .toSorted((a, b) => b.id - a.id)
  }

  source(): Source {
    return {
      rows: () =>
        peers.flatMap((peer) => {
          const last = this.of(peer).at(-1)
          const isSealed = Boolean(last?.encrypted_sym_x_key)
          return last ? { peer, last: last.id, lastTime: Date.parse(last.timestamp), isSealed } : []
        }),
      before: async (peer, id, limit) =>
        structuredClone(
          this.of(peer)
            .filter((one) => one.id < id)
            .slice(-limit),
        ),
      since: async (peer, time) =>
        structuredClone(this.of(peer).filter(({ timestamp }) => Date.parse(timestamp) > time)),
      open: async ({ id, message, revision = 0 }) => {
        if (this.locked.has(id)) throw new MissingKey('locked')
        return { text: message, at: 0, cid: '', rev: revision, id: '', files: [], unreadable: 0 }
      },
      maySeal: async ({ peer }) => peer !== '0xcc' || this.of(peer).some((one) => one.encrypted_sym_x_key),
      now: () => this.now,
    }
  }
}

/** A tab, which may be killed: then its next change does not reach the disk. */
class Tab {
  index!: MessageIndex
  walk!: Walk
  private readonly world: World
  private readonly disk: MemoryDisk
  private readonly most: number | undefined

  constructor(
    world: World,
    disk: MemoryDisk,
    { pairs = ['alice'], most }: { pairs?: string[]; most?: number } = {},
  ) {
    this.world = world
    this.disk = disk
    this.most = most
    this.load(pairs)
  }

  load(pairs = ['alice']): void {
    this.index = new MessageIndex(this.disk, new Map(pairs.map((name) => [name, alice])))
    this.walk = new Walk(this.index, this.world.source(), me, pairs, this.most)
  }

  async toTheEnd(): Promise<Step> {
    for (let n = 0; n < 200; n++) {
      const step = await this.walk.step()
      if (step !== 'more') return step
    }
    throw new Error('It does not end')
  }

  async find(q: string): Promise<string[]> {
    const texts: string[] = []
    for await (const { text } of findHere(this.index, { q }, queryOf({ q })!, me)) texts.push(text)
    return texts
  }
}

const action = fc.oneof(
  fc.record({
    do: fc.constant('send' as const),
    peer: fc.nat(2),
    isSealed: fc.boolean(),
    tell: fc.boolean(),
  }),
  fc.record({ do: fc.constantFrom('edit', 'delete', 'empty'), which: fc.nat(), tell: fc.boolean() }),
  fc.record({ do: fc.constantFrom('step', 'reload', 'kill'), tab: fc.nat(1) }),
)

test('whatever happens, a tab that has read all finds what the conversations have', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 60, size: 'max' }), async (actions) => {
      const world = new World()
      const disk = new MemoryDisk()
      const tabs = [new Tab(world, disk), new Tab(world, disk)]
      const tell = (change: Change, isTold: boolean) => {
        // An event that is missed is missed by a tab that is loaded later, or that notices it.
        for (const { walk } of tabs) walk.note(isTold ? change : 'missed')
      }
      for (const [n, one] of actions.entries()) {
        if (one.do === 'send') world.send(peers[one.peer]!, `note number${n}`, one.isSealed)
        else if ('tab' in one) {
          const tab = tabs[one.tab]!
          if (one.do === 'reload') tab.load()
          else if (one.do === 'step') await tab.walk.step()
          else {
            const { write } = disk
            disk.write = () => Promise.reject(new Error('killed'))
            await tab.walk.step().catch(() => {})
            disk.write = write
            tab.load()
          }
        } else if (world.items.length > 0) {
          const item = world.items[one.which % world.items.length]!
          if (one.do === 'edit' && item.encrypted_sym_x_key)
            tell({ edited: world.edit(item.id, `edit number${n}`) }, one.tell)
          if (one.do === 'delete') {
            world.items = world.items.filter((other) => other !== item)
            tell({ gone: item.id }, one.tell)
          }
          if (one.do === 'empty') {
            world.items = world.items.filter(
              ({ fromaddr, id }) => fromaddr !== item.fromaddr || id <= item.id,
            )
            tell({ emptied: [me, item.fromaddr], after: item.id }, one.tell)
          }
        }
      }
      for (const tab of tabs) {
        expect(await tab.toTheEnd()).toBe('whole')
        expect(await tab.find('number')).toEqual(world.sealed().map(({ message }) => message))
        expect(tab.walk.backTo()).toBeUndefined()
      }
    }),
    { numRuns: 150 },
  )
})

test('it goes back from the newest message of all conversations, and says how far', async () => {
  const world = new World()
  for (let n = 0; n < 450; n++) world.send(peers[n % 2]!, `number${n}`)
  const tab = new Tab(world, new MemoryDisk())
  await tab.walk.step()
  const seen = []
  for (let n = 0; n < 3; n++) {
    await tab.walk.step()
    const backTo = tab.walk.backTo()!
    const expected = world.sealed().filter(({ timestamp }) => Date.parse(timestamp) >= backTo)
    expect(await tab.find('number')).toEqual(expect.arrayContaining(expected.map(({ message }) => message)))
    seen.push(backTo)
  }
  expect(seen).toEqual(seen.toSorted((a, b) => b - a))
  expect(await tab.toTheEnd()).toBe('whole')
  expect(await tab.find('number')).toHaveLength(450)
})

test('new messages take the place of the oldest ones beyond the maximum, which come back when there is room', async () => {
  const world = new World()
  for (let n = 0; n < 700; n++) world.send(peers[n % 2]!, `number${n}`)
  const tab = new Tab(world, new MemoryDisk(), { most: 300 })
  await tab.toTheEnd()
  for (let n = 700; n < 1100; n++) {
    world.send(peers[n % 2]!, `number${n}`)
    if (n % 50 === 0) await tab.toTheEnd()
  }
  expect(await tab.toTheEnd()).toBe('full')
  expect(countOf(tab.index.state)).toBeLessThan(500)
  const found = await tab.find('number')
  expect(found.slice(0, 300)).toEqual(
    world
      .sealed()
      .slice(0, 300)
      .map(({ message }) => message),
  )
  expect(tab.walk.backTo()).toBeGreaterThan(Date.parse(world.items[100]!.timestamp))
  const gone = world.items.splice(650)
  for (const { id } of gone) tab.walk.note({ gone: id })
  await tab.toTheEnd()
  expect((await tab.find('number')).slice(0, 300)).toEqual(
    world
      .sealed()
      .slice(0, 300)
      .map(({ message }) => message),
  )
})

test('messages that were deleted while no page was open leave the index when their conversation is read', async () => {
  const world = new World()
  for (let n = 0; n < 300; n++) world.send('0xaa', `number${n}`)
  world.send('0xbb', 'number of another')
  world.now += 60 * 24 * hour
  const disk = new MemoryDisk()
  await new Tab(world, disk).toTheEnd()
  // Retention deletes the oldest ones, and a sender one in the middle.
  const deleted = new Set(world.items.filter((_, n) => n < 120 || n === 200).map(({ id }) => id))
  world.items = world.items.filter(({ id }) => !deleted.has(id))
  const tab = new Tab(world, disk)
  await tab.toTheEnd()
  expect(await tab.find('"number200"')).toEqual(['number200'])
  const stop = collect(tab)
  const all = world.items.filter(({ fromaddr }) => fromaddr === '0xaa')
  const [older, newer] = [all.slice(0, -100), all.slice(-100)]
  const pair = { fromaddr: me, toaddr: '0xaa' }
  noticePage(pair, { limit: 100, before: Number.MAX_SAFE_INTEGER }, newer)
  await tab.toTheEnd()
  expect(await tab.find('"number200"')).toEqual([])
  expect(await tab.find('"number7"')).toEqual(['number7'])
  // A page of another wallet of this device says nothing about this one.
  noticePage({ ...pair, fromaddr: '0xother' }, { limit: 100, before: newer[0]!.id }, [])
  await tab.toTheEnd()
  expect(await tab.find('"number7"')).toEqual(['number7'])
  noticePage(pair, { limit: 100, before: newer[0]!.id }, older)
  await tab.toTheEnd()
  stop()
  expect(await tab.find('number')).toEqual(world.sealed().map(({ message }) => message))
})

/** A tab gets what pages notice, until the returned function is called. */
function collect({ walk }: Tab): () => void {
  let isOver = false
  onNoticed((change) => {
    if (!isOver) walk.note(change)
    return true
  })
  return () => void (isOver = true)
}

test('beyond the maximum the oldest messages are left out', async () => {
  const world = new World()
  for (let n = 0; n < 650; n++) world.send('0xaa', `number${n}`)
  const tab = new Tab(world, new MemoryDisk(), { most: 300 })
  expect(await tab.toTheEnd()).toBe('full')
  expect(countOf(tab.index.state)).toBe(400)
  expect((await tab.find('number'))[0]).toBe('number649')
  world.send('0xaa', 'number of today')
  await tab.walk.step()
  expect(await tab.find('today')).toEqual(['number of today'])
})

test('what no key here opens is found once one does', async () => {
  const world = new World()
  const { id } = world.send('0xaa', 'an old secret')
  world.send('0xaa', 'a new secret')
  world.locked.add(id)
  const tab = new Tab(world, new MemoryDisk())
  await tab.toTheEnd()
  expect(await tab.find('secret')).toEqual(['a new secret'])
  world.locked.clear()
  tab.load(['older', 'alice'])
  await tab.toTheEnd()
  expect(await tab.find('secret')).toEqual(['a new secret', 'an old secret'])
})

test('a message that was edited while no page was open is found as it is', async () => {
  const world = new World()
  const { id } = world.send('0xaa', 'the painting')
  const disk = new MemoryDisk()
  await new Tab(world, disk).toTheEnd()
  world.edit(id, 'the sculpture')
  world.now += 20 * hour
  const tab = new Tab(world, disk)
  await tab.toTheEnd()
  expect(await tab.find('sculpture')).toEqual(['the sculpture'])
  expect(await tab.find('painting')).toEqual([])
})

test('of a conversation that was emptied, what is older stays', async () => {
  const world = new World()
  const [first] = ['one', 'two', 'three'].map((word) => world.send('0xaa', `number ${word}`))
  world.send('0xbb', 'number four')
  const tab = new Tab(world, new MemoryDisk())
  await tab.toTheEnd()
  tab.walk.note({ emptied: [me, '0xaa'], after: first!.id })
  await tab.walk.step()
  expect(await tab.find('number')).toEqual(['number four', 'number one'])
})
