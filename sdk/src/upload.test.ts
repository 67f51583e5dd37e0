import { afterEach, expect, test, vi } from 'vitest'
import type { FileState } from './contract/files.ts'
import { putParts } from './upload.ts'

const kibibyte = 1024
const mebibyte = 1024 * kibibyte

afterEach(() => void vi.restoreAllMocks())

/** Uploads a file over a line that takes this number of bytes in a second; returns the sizes of its parts, in KiB. */
async function partsOver(
  size: number,
  line: (second: number) => number,
  { offset = 0, least = 64 * kibibyte } = {},
): Promise<number[]> {
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const begun = { id: 'a', size, offset, part: 4 * mebibyte, least_part: least } as FileState
  const parts: number[] = []
  const client = {
    putFilePart: async ({ query, body }: { query?: { offset?: number }; body: Blob | Uint8Array }) => {
      const length = (body as Blob).size
      parts.push(length / kibibyte)
      now += (length / line(now / 1000)) * 1000
      return [{ ...begun, offset: query!.offset! + length }] as [FileState]
    },
  }
  const blob = new Blob([new Uint8Array(size)])
  let last = begun
  for await (last of putParts(client, begun, (start, end) => blob.slice(start, end), {}));
  expect(last.offset).toBe(size)
  return parts
}

test('a fast line gets large parts soon, so a file has few', async () => {
  const parts = await partsOver(25 * mebibyte, () => 100 * mebibyte)
  expect(parts.slice(0, 6)).toEqual([256, 512, 1024, 2048, 4096, 4096])
  expect(parts.length).toBeLessThan(12)
})

test('a usual line takes a second or two for each part', async () => {
  const parts = await partsOver(25 * mebibyte, () => mebibyte)
  expect(Math.max(...parts)).toBe(1024)
  expect(parts.length).toBeLessThan(30)
})

test('a slow line gets the smallest parts, and larger ones when it is faster again', async () => {
  const parts = await partsOver(6 * mebibyte, (second) => (second < 60 ? 15 * kibibyte : 4 * mebibyte))
  expect(parts.slice(0, 4)).toEqual([256, 128, 64, 64])
  expect(Math.max(...parts)).toBeGreaterThanOrEqual(1024)
})

test('no part is smaller than the service takes, and an upload continues where it was', async () => {
  const least = 200 * kibibyte
  const parts = await partsOver(3 * mebibyte, () => kibibyte, { offset: mebibyte, least })
  expect(parts.slice(0, 3)).toEqual([256, 200, 200])
  expect(parts.reduce((sum, one) => sum + one)).toBe(2048)
})
