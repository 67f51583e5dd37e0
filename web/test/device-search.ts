// An index of messages in memory, and messages for it.

import fc from 'fast-check'
import type { Disk, DiskChange, Head, Kind } from '../src/search/disk.ts'
import type { NewDoc } from '../src/search/docs.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** A disk as that of the device; a change is one step, as a transaction is. */
export class MemoryDisk implements Disk {
  stored: Head | undefined
  readonly records = new Map<string, Bytes>()
  head = async () => this.stored
  read = async (kind: Kind, names: number[]) => names.map((name) => this.records.get(`${kind} ${name}`))
  write = async (before: Head | undefined, after: Head, { put, remove }: DiskChange) => {
    if (this.stored?.changes !== before?.changes || String(this.stored?.salt) !== String(before?.salt))
      return false
    for (const { kind, name } of remove) this.records.delete(`${kind} ${name}`)
    for (const { kind, name, data } of put) this.records.set(`${kind} ${name}`, data)
    this.stored = after
    return true
  }
  empty = async () => {
    this.stored = undefined
    this.records.clear()
  }

  /** All that lies on it. */
  bytes(): Buffer {
    return Buffer.concat([...this.records.values(), this.stored?.data ?? new Uint8Array()])
  }
}

/** Words of some scripts, of which some begin alike. */
const words = [
  'invoice', 'invoices', 'in', 'paid', 'Straße', 'strasse', 'café', '契約書', '契約', '한국어', 'привет',
  'приветствие', 'سلام', 'नमस्ते', '👍', 'ann@example.org', 'https://example.org/a', '0xb47e', 'น้ำเย็น',
] // prettier-ignore

const word = fc.constantFrom(...words)
const sentence = fc.array(word, { minLength: 1, maxLength: 5 }).map((some) => some.join(' '))

const peers = ['0xaa', '0xbb', '0xcc']

/** A message to be found, without its id. */
export const someDoc: fc.Arbitrary<Omit<NewDoc, 'id'>> = fc.record({
  time: fc.integer({ min: 0, max: 1_000_000 }),
  peer: fc.constantFrom(...peers),
  isMine: fc.boolean(),
  hasFile: fc.boolean(),
  hasLink: fc.boolean(),
  hasPicture: fc.boolean(),
  nft: fc.constantFrom('', '0xnft'),
  revision: fc.nat(3),
  text: sentence,
  names: fc.array(
    word.map((one) => `${one}.pdf`),
    { maxLength: 2 },
  ),
})

/** What somebody types. */
export const someQuery = fc.oneof(
  word,
  sentence,
  sentence.map((one) => `"${one}"`),
  word.map((one) => `${one.slice(0, 2)}*`),
)
