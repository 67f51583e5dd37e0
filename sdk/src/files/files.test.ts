// Sealed files against services and senders that do not keep to the form, and against a reader who is slow or wants a part.

import fc from 'fast-check'
import { buffer } from 'node:stream/consumers'
import { beforeAll, expect, test } from 'vitest'
import { CannotOpenFile, openFile, openRange, type Sealing, sealFile } from './index.ts'

const segment = 64 * 1024
const sealedSegment = segment + 16

interface Sealed {
  content: Buffer<ArrayBuffer>
  sealed: Buffer<ArrayBuffer>
  /** What a message says of it. */
  file: { key: string; size: number; hash: string }
  sealing: Sealing
}

async function sealedOf(content: Buffer<ArrayBuffer>): Promise<Sealed> {
  const sealing = await sealFile(new Blob([content]))
  const { key, size } = sealing
  return {
    content,
    sealed: await buffer(sealing.sealFrom(0)),
    file: { key, size, hash: await sealing.hash() },
    sealing,
  }
}

const bytesOf = (size: number, seed = 7) =>
  Buffer.from(Uint32Array.from({ length: size }, (_, i) => Math.imul(i + seed, 2_654_435_761) >>> 24))

/** Exactly three segments, so that each but the last has the same size; and one byte more than two. */
let [three, more, none]: Sealed[] = []
beforeAll(async () => {
  ;[three, more, none] = await Promise.all(
    [3 * segment, 2 * segment + 1, 0].map((size) => sealedOf(bytesOf(size))),
  )
})

const whole = (file: Sealed['file'], sealed: Buffer<ArrayBuffer>) =>
  buffer(openFile(file, new Blob([sealed])))
/** A service that sends what it likes. */
const served = (sealed: Buffer<ArrayBuffer>) => (start: number, end: number) =>
  new Blob([sealed.subarray(start, end)]).stream()
const refused = (opened: Promise<unknown>, why = /^This file cannot be opened: /) =>
  expect(opened).rejects.toThrow(why)

test.for([0, 1, 1024, segment - 1, segment, segment + 1, 2 * segment, 5 * segment - 1, 5 * segment + 1])(
  'a file of %i bytes opens as it was, and without its key or hash it does not',
  async (size) => {
    const { content, sealed, file, sealing } = await sealedOf(bytesOf(size))
    expect(sealed.length).toBe(sealing.sealedSize)
    expect(content.equals(await whole(file, sealed))).toBe(true)
    expect(content.equals(await buffer(openRange(file, served(sealed), 0, size)))).toBe(true)
    await refused(whole({ ...file, key: three!.file.key }, sealed), /it was changed, or it is another file/)
    await refused(whole({ ...file, hash: three!.file.hash }, sealed), /not the one that the message has/)
  },
)

test('any range of any file is that slice of it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 3 * segment }),
      fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true })),
      async (size, ends) => {
        const { content, sealed, file } = await sealedOf(bytesOf(size))
        const [start, end] = ends.map((part) => Math.round(part * size)).toSorted((a, b) => a - b)
        for (const source of [new Blob([sealed]), served(sealed)])
          expect(
            content.subarray(start, end).equals(await buffer(openRange(file, source, start!, end!))),
          ).toBe(true)
      },
    ),
    { numRuns: 40 },
  )
})

test('a range reads the segments in which it lies, and no others', async () => {
  const { content, sealed, file } = three!
  const asked: number[][] = []
  const source = (start: number, end: number) => {
    asked.push([start / sealedSegment, end / sealedSegment])
    return served(sealed)(start, end)
  }
  const ranges = [
    [0, 1],
    [segment - 1, segment],
    [segment - 1, segment + 1],
    [segment, 2 * segment],
    [3 * segment - 1, 3 * segment],
    [segment, segment],
  ]
  for (const [start, end] of ranges)
    expect(content.subarray(start, end).equals(await buffer(openRange(file, source, start!, end!)))).toBe(
      true,
    )
  expect(asked).toEqual([
    [0, 1],
    [0, 1],
    [0, 2],
    [1, 2],
    [2, 3],
  ])
  for (const [start, end] of [
    [-1, 1],
    [2, 1],
    [0, 3 * segment + 1],
    [Number.NaN, 1],
  ])
    expect(() => openRange(file, source, start!, end!)).toThrow(RangeError)
})

test('each byte of a sealed file that is changed is noticed', async () => {
  const { sealed, file } = await sealedOf(bytesOf(300))
  expect(sealed.length).toBe(1040)
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed)
    changed[at]! ^= 1 << (at % 8)
    await refused(buffer(openRange(file, new Blob([changed]), 0, 1)))
  }
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: three!.sealed.length - 1 }),
      fc.integer({ min: 1, max: 255 }),
      async (at, bits) => {
        const changed = Buffer.from(three!.sealed)
        changed[at]! ^= bits
        await refused(whole(three!.file, changed))
        // A range fails where it needs that segment, and only there.
        const index = Math.floor(at / sealedSegment)
        for (const other of [0, 1, 2]) {
          const range = buffer(
            openRange(three!.file, served(changed), other * segment, (other + 1) * segment),
          )
          await (other === index ? refused(range) : expect(range).resolves.toHaveLength(segment))
        }
      },
    ),
    { numRuns: 30 },
  )
})

const cut = (sealed: Buffer<ArrayBuffer>, ...indexes: number[]) =>
  Buffer.concat(indexes.map((index) => sealed.subarray(index * sealedSegment, (index + 1) * sealedSegment)))

test('segments that are swapped, repeated, left out or of another file are noticed', async () => {
  const { sealed, file } = three!
  expect(cut(sealed, 0, 1, 2).equals(sealed)).toBe(true)
  const other = (await sealedOf(bytesOf(3 * segment, 8))).sealed
  const changes = [
    cut(sealed, 1, 0, 2),
    cut(sealed, 0, 2, 1),
    cut(sealed, 0, 0, 2),
    cut(sealed, 0, 1, 1),
    Buffer.concat([cut(sealed, 0), cut(other, 1), cut(sealed, 2)]),
    other,
  ]
  for (const changed of changes) {
    await refused(whole(file, changed), /it was changed, or it is another file/)
    await refused(
      buffer(openRange(file, served(changed), 0, file.size)),
      /it was changed, or it is another file/,
    )
  }
})

test('a file that is cut or has more behind it is noticed, also where its sender is said to have made it so', async () => {
  const { sealed, file } = three!
  for (const [short, why] of [
    [Buffer.alloc(0), /a part of it is missing/],
    [cut(sealed, 0, 1), /a part of it is missing/],
    [sealed.subarray(0, -1), /a part of it is missing/],
    [Buffer.concat([sealed, Buffer.alloc(1)]), /longer than its sender made it/],
    [cut(sealed, 0, 1, 2, 2), /longer than its sender made it/],
  ] as const) {
    await refused(whole(file, short), why)
    await refused(buffer(openRange(file, () => new Blob([short]).stream(), 0, file.size)), why)
  }
  // The segments alone fit a smaller file, and the last of them is not its last one.
  for (const size of [2 * segment, segment, file.size - 1])
    await refused(buffer(openRange({ ...file, size }, served(sealed), 0, 1)))
  await refused(whole({ ...file, size: 2 * segment }, cut(sealed, 0, 1)))
  for (const empty of [Buffer.alloc(0), Buffer.alloc(1040)]) await refused(whole(none!.file, empty))
  expect(await whole(none!.file, none!.sealed)).toHaveLength(0)
})

test('what lies behind the last byte of a file is part of it: a cut there is noticed by who reads all of it', async () => {
  const { sealed, file } = more!
  expect(sealed.length).toBeGreaterThan(2 * sealedSegment + 1024)
  await refused(buffer(openFile(file, served(sealed.subarray(0, -1)))), /a part of it is missing/)
})

test('no byte is returned of a segment that is not right, nor a last one before the end was seen', async () => {
  const { sealed, file } = three!
  const readAll = async (source: Buffer<ArrayBuffer> | (() => ReadableStream<Uint8Array>)) => {
    const reader = openFile(file, typeof source === 'function' ? source : new Blob([source])).getReader()
    let length = 0
    for (;;)
      try {
        const { done, value } = await reader.read()
        if (done) return { length }
        length += value.length
      } catch (error) {
        return { length, error }
      }
  }
  const changed = Buffer.from(sealed)
  changed[2 * sealedSegment + 5]! ^= 1
  expect(await readAll(changed)).toEqual({ length: segment, error: expect.any(CannotOpenFile) })
  expect(await readAll(() => new Blob([sealed, 'x']).stream())).toMatchObject({
    length: 2 * segment,
    error: expect.any(CannotOpenFile),
  })
  expect(await readAll(sealed)).toEqual({ length: 3 * segment })
})

test('an upload continues at any byte after a reload: the same secret and content are sealed to the same bytes', async () => {
  const content = bytesOf(2 * segment + 9)
  const secret = crypto.getRandomValues(new Uint8Array(32))
  const first = await sealFile(new Blob([content]), secret)
  const sealed = await buffer(first.sealFrom(0))
  const again = await sealFile(new File([content], 'renamed.txt'), secret)
  expect(again.key).toBe(first.key)
  const size = sealed.length
  for (const at of [0, 1, segment, sealedSegment - 1, sealedSegment, sealedSegment + 1, size - 1, size])
    expect(sealed.subarray(at).equals(await buffer(again.sealFrom(at))), `${at}`).toBe(true)
  const part = await buffer(again.sealFrom(100, sealedSegment + 100))
  expect(sealed.subarray(100, sealedSegment + 100).equals(part)).toBe(true)
  for (const at of [-1, size + 1, Number.NaN]) expect(() => again.sealFrom(at)).toThrow(RangeError)
})

test('another content under the same secret has another key, so no two contents are sealed with one nonce', async () => {
  const secret = crypto.getRandomValues(new Uint8Array(32))
  const contents = [bytesOf(9), bytesOf(9, 8), bytesOf(10), bytesOf(0), Buffer.alloc(9), Buffer.alloc(10)]
  const sealings = await Promise.all(contents.map((content) => sealFile(new Blob([content]), secret)))
  expect(new Set(sealings.map(({ key }) => key)).size).toBe(contents.length)
})

test('a file of any size is sealed and opened a few segments at a time, and no further when the reader stops', async () => {
  const size = 64 * segment
  let read = 0
  let isCancelled = false
  /** A file that is made as it is read. */
  const content = {
    size,
    slice: (start: number) => ({ stream: () => parts(start) }),
    stream: () => parts(0),
  } as unknown as Blob
  const parts = (start: number) =>
    new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          if (start >= size) return controller.close()
          controller.enqueue(new Uint8Array(Math.min(segment / 2, size - start)))
          start += segment / 2
          read += segment / 2
        },
        cancel: () => void (isCancelled = true),
      },
      { highWaterMark: 0 },
    )
  const { key, sealFrom, sealedSize } = await sealFile(content)
  expect(read).toBe(size)
  const reader = openRange({ key, size }, (start, end) => sealFrom(start, end), 0, size).getReader()
  read = 0
  let opened = 0
  while (opened < size / 2) {
    const { value } = await reader.read()
    opened += value!.length
    expect(read - opened).toBeLessThanOrEqual(2 * segment)
  }
  isCancelled = false
  await reader.cancel()
  expect(isCancelled).toBe(true)
  expect(read).toBeLessThan(size / 2 + 3 * segment)
  expect(sealedSize).toBe(64 * sealedSegment)
})

test('a file that became shorter while it was sealed is not sealed, and a break of the connection stays one', async () => {
  const { sealed, file } = three!
  const short = { size: 10, slice: () => new Blob(['four']), stream: () => new Blob(['four']).stream() }
  await expect(sealFile(short as unknown as Blob)).rejects.toThrow('shorter than it was')
  const broken = () =>
    new ReadableStream({
      start: (controller) => controller.enqueue(sealed.subarray(0, 100)),
      pull: (controller) => controller.error(new TypeError('network error')),
    })
  await refused(buffer(openFile(file, broken)), /^network error$/)
})
