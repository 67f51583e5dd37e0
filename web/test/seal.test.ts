import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { type Seal, sealOf } from '../src/seal/seal.ts'
import { openBrowser } from './browser.ts'

let page: Page
beforeAll(async () => {
  page = await (await openBrowser()).newPage()
})
afterAll(() => page?.close())

const digits = (count: number): string =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(count / 2))).toString('hex')

/** Another digit in place of the one at an index. */
function change(hex: string, index: number): string {
  const other = (Number.parseInt(hex[index]!, 16) + 1 + Math.floor(Math.random() * 15)) % 16
  return hex.slice(0, index) + other.toString(16) + hex.slice(index + 1)
}

/**
 * Which part of the picture differs, of pairs of addresses drawn at 40 pixels, in rising order. A pixel
 * differs when everybody sees it: by 0.1 in OKLab, five times what a trained eye tells apart.
 */
async function differencesOf(pairs: (readonly [string, string])[]): Promise<number[]> {
  const parts = await page.evaluate(
    differences,
    pairs.map(([a, b]) => [sealOf(a), sealOf(b)] as const),
  )
  return parts.toSorted((a, b) => a - b)
}

/** Runs in the page. */
function differences(pairs: (readonly [Seal, Seal])[]): number[] {
  const size = 40
  const pen = new OffscreenCanvas(size, size).getContext('2d', { willReadFrequently: true })!
  pen.scale(size / 100, size / 100)
  const linear = (value: number) => (value <= 10 ? value / 3295 : ((value / 255 + 0.055) / 1.055) ** 2.4)
  const drawn = ({ field, rim, middle }: Seal) => {
    pen.clearRect(0, 0, 100, 100)
    pen.fillStyle = field
    pen.beginPath()
    pen.arc(50, 50, 50, 0, 7)
    pen.fill()
    const layers = [rim, ...middle].map(({ d, fill }) => [fill, new Path2D(d)] as const)
    for (const [fill, path] of layers) {
      pen.fillStyle = fill
      pen.fill(path)
    }
    const { data } = pen.getImageData(0, 0, size, size)
    const points: number[][] = []
    for (let i = 0; i < data.length; i += 4) {
      if (data[i + 3]! < 255) continue
      const [r, g, b] = [linear(data[i]!), linear(data[i + 1]!), linear(data[i + 2]!)]
      const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
      const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
      const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
      points.push([
        0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
        1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
        0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
      ])
    }
    return points
  }
  return pairs.map(([a, b]) => {
    const [one, other] = [drawn(a), drawn(b)]
    const differing = one.filter((point, i) => {
      const [x, y, z] = point.map((value, axis) => value - other[i]![axis]!)
      return Math.hypot(x!, y!, z!) > 0.1
    })
    return differing.length / one.length
  })
}

const many = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i))

test('one changed digit of an address changes its seal visibly', async () => {
  const pairs = many(400, (i) => {
    const hex = digits(40)
    return [`0x${hex}`, `0x${change(hex, i % 40)}`] as const
  })
  const [least] = await differencesOf(pairs)
  expect(least).toBeGreaterThan(0.3)
})

test('one changed byte of an address changes its seal visibly', async () => {
  const pairs = many(400, (i) => {
    const hex = digits(40)
    const at = (i % 20) * 2
    return [`0x${hex}`, `0x${change(change(hex, at), at + 1)}`] as const
  })
  const [least] = await differencesOf(pairs)
  expect(least).toBeGreaterThan(0.08)
})

test('addresses with the same first and last four digits have seals that differ', async () => {
  const pairs = many(400, () => {
    const hex = digits(40)
    return [`0x${hex}`, `0x${hex.slice(0, 4)}${digits(32)}${hex.slice(-4)}`] as const
  })
  const sorted = await differencesOf(pairs)
  expect(sorted[0]).toBeGreaterThan(0.03)
  // Of 98 in 100 pairs a fifth of the picture differs, of the half nearly all.
  expect(sorted[8]).toBeGreaterThan(0.2)
  expect(sorted[200]).toBeGreaterThan(0.8)
})

test('the seal is that of the wallet, however its address is written, and of addresses of any chain', () => {
  const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
  expect(sealOf(address.toLowerCase())).toEqual(sealOf(address))
  const [one, other] = [
    '7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs',
    '7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMt',
  ]
  expect(sealOf(one)).not.toEqual(sealOf(other))
  // Base 58 is case-sensitive.
  expect(sealOf(one.toLowerCase())).not.toEqual(sealOf(one))
})

test('a seal never changes: this one is as it was drawn first', () => {
  const { field, rim, middle } = sealOf('0xd8da6bf26964af9d7eed9e03e53415d37aa96045')
  expect([field, rim.fill, ...middle.map(({ fill }) => fill)]).toMatchInlineSnapshot(`
    [
      "#2171cc",
      "#c1dafa",
      "#408dea",
      "#f7ecbe",
      "#2171cc",
      "#0ed4f6",
    ]
  `)
})
