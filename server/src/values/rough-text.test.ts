import fc from 'fast-check'
import { expect, test } from 'vitest'
import { roughText } from './rough-text.ts'
import { skeletonOf } from './skeleton.ts'

const most = 64 * 1024

test.each([
  ['airdrop', 'ΑIRDROР'],
  ['airdrop', 'a1rdr0p'],
  ['airdrop', 'a\u200bird\u2060rop'],
  ['airdrop', '𝐚𝐢𝐫𝐝𝐫𝐨𝐩'],
  ['airdrop', 'ⒶⒾⓇⒹⓇⓄⓅ'],
  ['wallet', 'vvallet'],
  ['modern', 'ｒnodern'],
])('%s and %s are alike', (one, other) => expect(roughText(other)).toBe(roughText(one)))

test('it is the skeleton of Unicode with some letters made alike, for every character', () => {
  const slow = (text: string) =>
    skeletonOf(text.toLowerCase())
      .toLowerCase()
      .replace(/[i1]/g, 'l')
      .replaceAll('0', 'o')
      .replaceAll('m', 'rn')
      .replaceAll('w', 'vv')
  for (let code = 0; code < 0x20000; code += code < 0x600 ? 1 : 7) {
    const character = String.fromCodePoint(code)
    if (roughText(character) !== slow(character))
      expect(roughText(character), code.toString(16)).toBe(slow(character))
  }
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (text) => {
      expect(roughText(text)).toBe(slow(text))
    }),
  )
})

test('a word at the end of the longest text is not passed over, whatever stands before it', () => {
  for (const filler of ['a ', '\u200b', '0\u0301\u0316 ', '\ufdfa', '각', '\ufe0f'])
    expect(
      roughText(filler.repeat((most - 8) / Buffer.byteLength(filler)) + ' AIRDR0P').endsWith(' alrdrop'),
    ).toBe(true)
})

test('the worst texts of 64 KiB take a few thousandths of a second', () => {
  roughText('')
  const fill = (part: string) => part.repeat(most / Buffer.byteLength(part))
  const distinct = (from: number, count: number) =>
    Array.from({ length: count }, (_, n) => String.fromCodePoint(from + n)).join('')
  const texts = [
    ...['a', 'Im1w|0', 'hello world ', 'İ', '\ufdfa', '각', 'аеорсух', '𝓋𝒾𝓉', '\u200b', 'a\u200b'].map(fill),
    ...['a\u0301\u0316', '\u0344', '\u0301\u0316', 'a\u0316\u0301\u0316\u0301\u0316'].map(fill),
    `a${'\u0301'.repeat(16_000)}${'\u0316'.repeat(16_000)}`,
    distinct(0x4e00, 20_900),
    distinct(0x12000, 16_384),
  ]
  for (const text of texts) {
    // The shortest of several runs counts: a pause of the garbage collector is not the cost of the text.
    const took = Array.from({ length: 5 }, () => {
      const begin = process.cpuUsage()
      roughText(text)
      const { user, system } = process.cpuUsage(begin)
      return (user + system) / 1000
    })
    expect(Math.min(...took), JSON.stringify(text.slice(0, 12))).toBeLessThan(10)
  }
})
