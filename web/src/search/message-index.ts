// The index of the encrypted messages of a wallet on this device. Its words are in segments (segment.ts), which are read into
// memory with the first search; the texts are in blocks, which are read when a search may have found one. All of it is encrypted,
// and records have numbers for names, so the disk shows neither a word nor how often it occurs.

import { toText } from '@parley/sdk/bytes.ts'
import type { KeyPair } from '../keys/crypto/scheme.ts'
import { type Block, entryOf, json, type NewDoc, type StoredText, storedOf, wordsIn } from './docs.ts'
import { type Disk, type DiskChange, type Head, isSame } from './disk.ts'
import { newState, type SegmentEntry, type State } from './index-state.ts'
import { openRecord, searchKey, sealRecord } from './sealing.ts'
import { encodeSegment, type Facts, mergeSegments, Segment } from './segment.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** This many texts are a block: a search reads all of it for one of them. */
const inBlock = 64
/** When this many segments have about the same size, they become one, up to this many messages. */
const mergedAtOnce = 8
const largestSegment = 32_768

interface Loaded {
  segment: Segment
  dead: Set<number>
}

export class MessageIndex {
  state: State = newState()
  private head: Head | undefined
  private key: CryptoKey | undefined
  private readonly segments = new Map<number, Loaded>()
  private readonly disk: Disk
  /** The keys that are open here, the current one last, each with its id. */
  private readonly pairs: ReadonlyMap<string, KeyPair>

  constructor(disk: Disk, pairs: ReadonlyMap<string, KeyPair>) {
    this.disk = disk
    this.pairs = pairs
  }

  /** Reads what tabs have changed. An index whose key is not open here is deleted: it is made again. */
  refresh(): Promise<void> {
    return this.inTurn(() => this.readHead())
  }

  private async readHead(): Promise<void> {
    const head = await this.disk.head()
    if (head && !this.pairs.has(head.pair)) {
      await this.disk.empty()
      return this.readHead()
    }
    if (this.key && isSame(head, this.head)) return
    const pair = head?.pair ?? [...this.pairs.keys()].at(-1)!
    const salt = head?.salt ?? crypto.getRandomValues(new Uint8Array(32))
    if (!this.key || !head || String(salt) !== String(this.head?.salt)) {
      this.key = await searchKey(this.pairs.get(pair)!, salt)
      this.segments.clear()
      this.fresh = { pair, salt }
    }
    const state = head
      ? (JSON.parse(toText(await openRecord(this.key, 'head', head.data))) as State)
      : newState()
    await this.load(state.segments)
    this.head = head
    this.state = state
  }

  private last: Promise<unknown> = Promise.resolve()

  /** Changes here wait for each other. */
  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.last.then(work)
    this.last = done.catch(() => {})
    return done
  }

  /** An index without a head begins with these. */
  private fresh: Pick<Head, 'pair' | 'salt'> | undefined

  private async load(entries: SegmentEntry[]): Promise<void> {
    const wanted = new Set(entries.map(({ name }) => name))
    for (const name of this.segments.keys()) if (!wanted.has(name)) this.segments.delete(name)
    const missing = entries.filter(({ name }) => !this.segments.has(name)).map(({ name }) => name)
    const read = await this.disk.read('segment', missing)
    await Promise.all(
      missing.map(async (name, n) => {
        const bytes = await openRecord(this.key!, `segment ${name}`, read[n]!)
        this.segments.set(name, { segment: new Segment(bytes), dead: new Set() })
      }),
    )
    for (const { name, dead } of entries) this.segments.get(name)!.dead = new Set(dead)
  }

  /** All that may be searched, the newest segment first. */
  all(): Loaded[] {
    return this.state.segments.toReversed().map(({ name }) => this.segments.get(name)!)
  }

  /** Returns what is known of a message. */
  where(id: number): Facts | undefined {
    for (const { segment, dead } of this.segments.values()) {
      const doc = segment.docOf(id)
      if (doc >= 0 && !dead.has(doc)) return segment.facts(doc)
    }
    return undefined
  }

  /** Returns what is known of the messages with a wallet after a time. */
  factsOf(peer: string, time = -Infinity): Facts[] {
    return this.all().flatMap(({ segment, dead }) =>
      segment
        .docsOf(peer, time)
        .filter((doc) => !dead.has(doc))
        .map((doc) => segment.facts(doc)),
    )
  }

  /** Reads the texts of messages; one that another tab has removed meanwhile is undefined. */
  async textsOf(facts: readonly Facts[]): Promise<(StoredText | undefined)[]> {
    const names = [...new Set(facts.map(({ block }) => block))]
    const blocks = new Map(await this.readBlocks(names))
    return facts.map(({ block, place }) => {
      const entry = blocks.get(block)?.[place]
      return entry ? storedOf(entry) : undefined
    })
  }

  private async readBlocks(names: number[]): Promise<[number, Block][]> {
    const read = await this.disk.read('texts', names)
    const opened = names.map(async (name, n): Promise<[number, Block]> => {
      const bytes = read[n]
      return [
        name,
        bytes ? (JSON.parse(toText(await openRecord(this.key!, `texts ${name}`, bytes))) as Block) : [],
      ]
    })
    return Promise.all(opened)
  }

  /**
   * Adds messages, in place of earlier versions of them, and removes those with the ids of `gone`. `change` changes what is
   * known of the conversations, in the same transaction. Returns false, and changes nothing, when another tab was first.
   */
  write(docs: readonly NewDoc[], gone: readonly number[], change: (state: State) => void): Promise<boolean> {
    return this.inTurn(() => this.put(docs, gone, change))
  }

  private async put(
    docs: readonly NewDoc[],
    gone: readonly number[],
    change: (state: State) => void,
  ): Promise<boolean> {
    const state = structuredClone(this.state)
    const changes: DiskChange = { put: [], remove: [] }
    const fresh = new Map<number, Loaded>()
    await this.bury([...docs.map(({ id }) => id), ...gone], state, changes)
    if (docs.length > 0) {
      const facts = await this.putTexts(docs, state, changes)
      await this.putSegment(encodeSegment(facts, wordsIn(docs)), state, changes, fresh)
      await this.merge(state, changes, fresh)
    }
    change(state)
    const after: Head = {
      ...(this.head ?? this.fresh!),
      changes: (this.head?.changes ?? 0) + 1,
      data: await sealRecord(this.key!, 'head', json(state)),
    }
    if (!(await this.disk.write(this.head, after, changes))) return false
    for (const [name, loaded] of fresh) this.segments.set(name, loaded)
    this.head = after
    this.state = state
    await this.load(state.segments)
    return true
  }

  /** Makes messages dead, and their texts leave the disk. */
  private async bury(ids: readonly number[], state: State, changes: DiskChange): Promise<void> {
    const places = new Map<number, Set<number>>()
    for (const id of new Set(ids))
      for (const entry of state.segments) {
        const { segment, dead } = this.segments.get(entry.name)!
        const doc = segment.docOf(id)
        if (doc < 0 || dead.has(doc)) continue
        entry.dead.push(doc)
        const { block, place } = segment.facts(doc)
        places.set(block, (places.get(block) ?? new Set()).add(place))
      }
    const empty = state.segments.filter(({ count, dead }) => count === dead.length)
    for (const { name } of empty) changes.remove.push({ kind: 'segment', name })
    state.segments = state.segments.filter((entry) => !empty.includes(entry))
    for (const [name, block] of await this.readBlocks([...places.keys()])) {
      const left = block.map((one, place) => (places.get(name)!.has(place) ? null : one))
      if (left.every((one) => one === null)) changes.remove.push({ kind: 'texts', name })
      else changes.put.push({ kind: 'texts', name, data: await this.seal('texts', name, json(left)) })
    }
  }

  private async putTexts(docs: readonly NewDoc[], state: State, changes: DiskChange): Promise<Facts[]> {
    const sorted = docs.toSorted((a, b) => a.id - b.id)
    const facts: Facts[] = []
    for (let at = 0; at < sorted.length; at += inBlock) {
      const some = sorted.slice(at, at + inBlock)
      const name = state.next++
      changes.put.push({ kind: 'texts', name, data: await this.seal('texts', name, json(some.map(entryOf))) })
      for (const [place, { text: _text, names: _names, nftid: _nftid, ...rest }] of some.entries())
        facts.push({ ...rest, block: name, place })
    }
    return facts
  }

  private async putSegment(
    bytes: Bytes,
    state: State,
    changes: DiskChange,
    fresh: Map<number, Loaded>,
  ): Promise<void> {
    const name = state.next++
    const segment = new Segment(bytes)
    state.segments.push({ name, count: segment.count, dead: [] })
    fresh.set(name, { segment, dead: new Set() })
    changes.put.push({ kind: 'segment', name, data: await this.seal('segment', name, bytes) })
  }

  /** Makes one segment of several of about the same size. */
  private async merge(state: State, changes: DiskChange, fresh: Map<number, Loaded>): Promise<void> {
    const sizeOf = ({ count }: SegmentEntry) =>
      Math.floor(Math.log(Math.max(count, 1)) / Math.log(mergedAtOnce))
    for (;;) {
      const small = state.segments.filter(({ count }) => count * mergedAtOnce <= largestSegment)
      const same = Map.groupBy(small, sizeOf)
        .values()
        .find((entries) => entries.length >= mergedAtOnce)
      if (!same) return
      const parts = same.map(({ name, dead }) => ({
        segment: (fresh.get(name) ?? this.segments.get(name)!).segment,
        dead: new Set(dead),
      }))
      const merged = mergeSegments(parts)
      state.segments = state.segments.filter((entry) => !same.includes(entry))
      for (const { name } of same) {
        if (!fresh.delete(name)) changes.remove.push({ kind: 'segment', name })
        changes.put = changes.put.filter((one) => one.kind !== 'segment' || one.name !== name)
      }
      await this.putSegment(merged, state, changes, fresh)
    }
  }

  private seal(kind: 'segment' | 'texts', name: number, bytes: Bytes): Promise<Bytes> {
    return sealRecord(this.key!, `${kind} ${name}`, bytes)
  }
}
