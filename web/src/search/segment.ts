// A segment is an index of some messages, as bytes: facts of each, by which searches are narrowed, then its words in their order
// with the messages that have them. It is never changed. New messages make a new segment, and small ones become larger ones.

import { Reader, Writer } from './bytes.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** What a search knows of a message before it reads its text. */
export interface Facts {
  id: number
  /** Epoch milliseconds. */
  time: number
  peer: string
  isMine: boolean
  hasFile: boolean
  hasLink: boolean
  hasPicture: boolean
  /** The contract that it is about; empty for none. */
  nft: string
  revision: number
  /** Its text is in this block, at this place. */
  block: number
  place: number
}

/** What an index must have for a message: a word, or one that begins so. */
export type Wanted = { word: string } | { prefix: string }

/** This many words share a start in the list of words, so that one of them is found by few steps. */
const inChunk = 32

const columns = ['id', 'time', 'peer', 'flags', 'nft', 'revision', 'block', 'place'] as const
type Column = (typeof columns)[number]

/** Returns messages in the order of their ids, with the messages of each word, as bytes. */
export function encodeSegment(facts: readonly Facts[], words: ReadonlyMap<string, number[]>): Bytes {
  const out = new Writer()
  out.number(facts.length)
  const texts = [...new Set(facts.flatMap(({ peer, nft }) => [peer, nft]))]
  const places = new Map(texts.map((text, n) => [text, n]))
  out.number(texts.length)
  for (const text of texts) out.text(text)
  const values: Record<Column, (one: Facts) => number> = {
    id: ({ id }) => id,
    time: ({ time }) => time,
    peer: ({ peer }) => places.get(peer)!,
    flags: ({ isMine, hasFile, hasLink, hasPicture }) =>
      Number(isMine) + 2 * Number(hasFile) + 4 * Number(hasLink) + 8 * Number(hasPicture),
    nft: ({ nft }) => places.get(nft)!,
    revision: ({ revision }) => revision,
    block: ({ block }) => block,
    place: ({ place }) => place,
  }
  for (const column of columns) {
    let last = 0
    for (const one of facts) {
      const value = values[column](one)
      out.signed(value - last)
      last = value
    }
  }
  writeWords(out, words)
  return out.end()
}

function writeWords(out: Writer, words: ReadonlyMap<string, number[]>): void {
  const sorted = [...words.keys()].toSorted((a, b) => (a < b ? -1 : 1))
  const [names, lists] = [new Writer(), new Writer()]
  const starts: [number, number][] = []
  let last = ''
  for (const [n, word] of sorted.entries()) {
    if (n % inChunk === 0) {
      starts.push([names.length, lists.length])
      last = ''
    }
    const shared = sharedStart(last, word)
    names.number(shared)
    names.text(word.slice(shared))
    const before = lists.length
    let previous = -1
    for (const doc of words.get(word)!) {
      lists.number(doc - previous - 1)
      previous = doc
    }
    names.number(lists.length - before)
    last = word
  }
  out.number(sorted.length)
  for (const start of starts) for (const place of start) out.number(place)
  out.number(names.length)
  out.raw(names.end())
  out.raw(lists.end())
}

/** Returns how many characters two words share, without half of a character. */
function sharedStart(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return length > 0 && /[\ud800-\udbff]/.test(other[length - 1]!) ? length - 1 : length
}

export class Segment {
  readonly count: number
  private readonly texts: string[] = []
  private readonly columns = {} as Record<Column, Float64Array>
  private readonly bytes: Uint8Array
  private readonly wordCount: number
  private readonly starts: Uint32Array
  private readonly names: number
  private readonly lists: number

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
    const from = new Reader(bytes)
    this.count = from.number()
    const texts = from.number()
    for (let n = 0; n < texts; n++) this.texts.push(from.text())
    for (const column of columns) {
      const values = new Float64Array(this.count)
      let last = 0
      for (let n = 0; n < this.count; n++) values[n] = last += from.signed()
      this.columns[column] = values
    }
    this.wordCount = from.number()
    this.starts = new Uint32Array(2 * Math.ceil(this.wordCount / inChunk))
    for (let n = 0; n < this.starts.length; n++) this.starts[n] = from.number()
    const length = from.number()
    this.names = from.at
    this.lists = from.at + length
  }

  facts(doc: number): Facts {
    const of = (column: Column) => this.columns[column][doc]!
    const flags = of('flags')
    return {
      id: of('id'),
      time: of('time'),
      peer: this.texts[of('peer')]!,
      isMine: (flags & 1) > 0,
      hasFile: (flags & 2) > 0,
      hasLink: (flags & 4) > 0,
      hasPicture: (flags & 8) > 0,
      nft: this.texts[of('nft')]!,
      revision: of('revision'),
      block: of('block'),
      place: of('place'),
    }
  }

  idOf(doc: number): number {
    return this.columns.id[doc]!
  }

  /** Returns the message with this id; -1 for none. */
  docOf(id: number): number {
    const ids = this.columns.id
    let [low, high] = [0, this.count]
    while (low < high) {
      const middle = (low + high) >> 1
      if (ids[middle]! < id) low = middle + 1
      else high = middle
    }
    return ids[low] === id ? low : -1
  }

  /** Returns the messages with a wallet after a time. */
  docsOf(peer: string, after: number): number[] {
    const place = this.texts.indexOf(peer)
    const { peer: peers, time: times } = this.columns
    const docs: number[] = []
    if (place >= 0)
      for (let doc = 0; doc < this.count; doc++)
        if (peers[doc] === place && times[doc]! > after) docs.push(doc)
    return docs
  }

  /** Calls back with each message that has a word. */
  visit(wanted: Wanted, found: (doc: number) => void): void {
    const from = 'word' in wanted ? wanted.word : wanted.prefix
    for (const [word, docs] of this.words(this.chunkOf(from))) {
      const fits = 'word' in wanted ? word === from : word.startsWith(from)
      if (fits) docs(found)
      else if (word > from) return
    }
  }

  /** Returns the last chunk that begins with an earlier word than this one, or with this one. */
  private chunkOf(word: string): number {
    let [low, high] = [0, this.starts.length / 2 - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      const first = new Reader(this.bytes, this.names + this.starts[2 * middle]!)
      first.number()
      if (first.text() <= word) low = middle
      else high = middle - 1
    }
    return Math.max(low, 0)
  }

  /** Goes through the words from a chunk on, each with a function that visits its messages. */
  *words(chunk = 0): Generator<[word: string, docs: (found: (doc: number) => void) => void]> {
    if (this.wordCount === 0) return
    const names = new Reader(this.bytes, this.names + this.starts[2 * chunk]!)
    let list = this.lists + this.starts[2 * chunk + 1]!
    let word = ''
    for (let n = chunk * inChunk; n < this.wordCount; n++) {
      if (n % inChunk === 0) word = ''
      word = word.slice(0, names.number()) + names.text()
      const begin = list
      list += names.number()
      const end = list
      yield [word, (found) => this.visitList(begin, end, found)]
    }
  }

  private visitList(begin: number, end: number, found: (doc: number) => void): void {
    const list = new Reader(this.bytes, begin)
    let doc = -1
    while (list.at < end) found((doc += list.number() + 1))
  }
}

/** Returns the messages of several segments in one, without those that are dead. */
export function mergeSegments(parts: readonly { segment: Segment; dead: ReadonlySet<number> }[]): Bytes {
  const alive = parts
    .flatMap(({ segment, dead }, part) =>
      Array.from({ length: segment.count }, (_, doc) => ({ part, doc, id: segment.idOf(doc) })).filter(
        ({ doc }) => !dead.has(doc),
      ),
    )
    .toSorted((a, b) => a.id - b.id)
  const moved = parts.map(({ segment }) => new Int32Array(segment.count).fill(-1))
  for (const [n, { part, doc }] of alive.entries()) moved[part]![doc] = n
  const words = new Map<string, number[]>()
  for (const [part, { segment }] of parts.entries())
    for (const [word, docs] of segment.words()) {
      const list = words.get(word) ?? []
      docs((doc) => {
        const to = moved[part]![doc]!
        if (to >= 0) list.push(to)
      })
      if (list.length > 0) words.set(word, list)
    }
  for (const list of words.values()) list.sort((a, b) => a - b)
  return encodeSegment(
    alive.map(({ part, doc }) => parts[part]!.segment.facts(doc)),
    words,
  )
}
