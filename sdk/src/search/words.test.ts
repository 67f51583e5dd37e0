import fc from 'fast-check'
import { expect, test } from 'vitest'
import { normalForm } from '../normal-form.ts'
import { indexWordsOf, match, parseQuery, type SearchQuery } from './query.ts'
import { mostWords, tokensOf, wordsOf } from './words.ts'

function parsed(text: string): SearchQuery {
  const query = parseQuery(text)
  if ('problem' in query) throw new Error(`"${text}" ${query.problem}`)
  return query
}

/** Returns what a query matches in a text; undefined when it does not. */
function found(query: string, text: string): string[] | undefined {
  return match(parsed(query), [text])?.[0]!.map(([start, end]) => text.slice(start, end))
}

/** Returns true when an index of a text has what a query needs. */
function isInIndex(query: SearchQuery, ...texts: string[]): boolean {
  const words = [...wordsOf(...texts)]
  return indexWordsOf(query).every((one) =>
    'word' in one ? words.includes(one.word) : words.some((word) => word.startsWith(one.prefix)),
  )
}

const address = '0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb'
const solana = '7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs'

test.each([
  ['invoice', 'The INVOICE of May', ['INVOICE']],
  ['invo', 'an invoice', ['invoice']],
  ['7EYnhQ sent', `${solana} has sent it`, [solana, 'sent']],
  ['abcdef sent', 'abcdefg has sent it', undefined],
  ['"invo"', 'an invoice', undefined],
  ['invo paid', 'the invoice is paid', undefined],
  ['invo* paid', 'the invoice is paid', ['invoice', 'paid']],
  ['"is paid"', 'paid? It is, paid.', ['is, paid']],
  ['"paid is"', 'it is paid', undefined],
  ['cafe', 'Café crème', ['Café']],
  ['CRÈME', 'Cafe creme', ['creme']],
  ['strasse', 'Große Straße', ['Straße']],
  ['λόγος', 'ΛΟΓΟΣ', ['ΛΟΓΟΣ']],
  ['ωδη', 'ᾠδή', ['ᾠδή']],
  ['ſtrong', 'Strong K', ['Strong']],
  ['ёлка', 'елка', ['елка']],
  ['istanbul', 'İSTANBUL', ['İSTANBUL']],
  ['ａｂｃ', 'abc', ['abc']],
  ['well-known', 'a well-known thing', ['well-known']],
  ['known', 'a well-known thing', ['known']],
  ['ann@example.org', 'write to Ann@Example.org.', ['Ann@Example.org']],
  ['example', 'write to ann@example.org', ['example']],
  ['https://example.org/a-b?c=1', 'see https://example.org/a-b?c=1!', ['https://example.org/a-b?c=1']],
  ['example.org', 'see https://example.org/a', ['example.org']],
  ['vitalik.eth', 'ask vitalik.eth', ['vitalik.eth']],
  ['0xb47e', `send it to ${address}`, [address]],
  ['0xB47E paid', `paid to ${address}`, ['paid', address]],
  ['1.5', 'it costs 1.5 ETH', ['1.5']],
  ['契約', '昨日契約書を送った', ['契約']],
  ['約契', '昨日契約書を送った', undefined],
  ['書', '昨日契約書', ['書']],
  ['契約', '契、約', undefined],
  ['"契 約"', '昨日契約書', ['契約']],
  ['"契 約"', '契、約', ['契、約']],
  ['カード', 'ｶｰﾄﾞを使う', ['ｶｰﾄﾞ']],
  ['한국', '대한국어를', ['한국']],
  ['한국', normalForm('한국', 'NFD'), [normalForm('한국', 'NFD')]],
  ['น้ำ', 'ดื่มน้ำเย็น', ['น้ำ']],
  ['سلام', 'سَلَامٌ عليكم', ['سَلَامٌ']],
  ['محمد', 'محـــمد', ['محـــمد']],
  ['שלום', 'שָׁלוֹם', ['שָׁלוֹם']],
  ['नमस्ते', 'नमस्ते दुनिया', ['नमस्ते']],
  ['👍', 'done 👍🏽', ['👍🏽']],
  ['☀️', 'a ☀ day', ['☀']],
  ['👨‍👩‍👧', 'the 👨‍👩‍👧 family', ['👨‍👩‍👧']],
  ['🇩🇪', 'from 🇩🇪🇫🇷', ['🇩🇪']],
  ['🇪🇫', 'from 🇩🇪🇫🇷', undefined],
  ['soft', 'so\u00adft', ['so\u00adft']],
])('%s in %s', (query, text, expected) => {
  expect(found(query, text)).toEqual(expected)
  if (expected) expect(isInIndex(parsed(query), text)).toBe(true)
})

test('words may be in different texts, a phrase is in one', () => {
  expect(match(parsed('report may'), ['the report', 'may.pdf'])).toEqual([[[4, 10]], [[0, 3]]])
  expect(match(parsed('"report may"'), ['the report', 'may.pdf'])).toBeUndefined()
})

test.each([
  ['a', 'must have a word of at least two letters'],
  ['a b', 'must have a word of at least two letters'],
  ['one two three four five six seven eight nine', 'must have at most 8 words and phrases'],
  ['ab* cd* ef*', 'must have at most 2 beginnings of words (with *)'],
])('%s is refused', (query, problem) => {
  expect(parseQuery(query)).toEqual({ problem })
})

test.each(['', ' ', '"', '""', '*', '...', '‏'])('%j has no words', (query) => {
  expect(parseQuery(query)).toEqual({ terms: [] })
})

test('a text of very many words is bounded', () => {
  const text = Array.from({ length: mostWords + 10 }, (_, n) => `w${n}`).join(' ')
  expect(wordsOf(text).size).toBe(mostWords)
  expect(found(`"w${mostWords - 1}"`, text)).toHaveLength(1)
  expect(found(`"w${mostWords}"`, text)).toBeUndefined()
})

const alphabets = {
  Latin: 'aáàbcßdðeéfghİıjłøœz',
  Greek: 'αάβγδεσςΩιᾳ',
  Cyrillic: 'абвгёейЯщ',
  Armenian: 'աբգդեՖ',
  Hebrew: 'אבגדםןשׁ',
  Arabic: 'ابتثجحخةًَأإآ',
  Devanagari: 'अआकखगािीु्ं',
  Bengali: 'অআকখগািী্',
  Georgian: 'აბგდევზ',
  Han: '我你他們中文契約書',
  Japanese: 'あいうカキガー々',
  Hangul: '가나다한국어',
  Thai: 'กขคงน้ำเา',
  Khmer: 'កខគឃាិ',
  emoji: '👍🏽👩‍💻🇩🇪🎉',
}
const letterOf = fc.constantFrom(...Object.values(alphabets).map((letters) => Array.from(letters)))
const word = letterOf.chain((letters) =>
  fc.array(fc.constantFrom(...letters), { minLength: 1, maxLength: 5 }).map((some) => some.join('')),
)
const gap = fc.constantFrom(' ', ', ', '-', '.', '', '\n', '@', '/', '\u200d', '\u00ad', '\u200b')
const text = fc.array(fc.tuple(word, gap), { maxLength: 12 }).map((some) => some.flat().join(''))

test('an index has all that a scan finds, in any script and normal form', () => {
  fc.assert(
    fc.property(
      text,
      fc.nat(),
      fc.nat(),
      fc.constantFrom('NFC', 'NFD', 'NFKC', 'NFKD'),
      fc.boolean(),
      (whole, a, b, form, quoted) => {
        const [from, to] = [a % (whole.length + 1), b % (whole.length + 1)].toSorted((x, y) => x - y)
        const part = normalForm(whole.slice(from, to).toWellFormed(), form)
        const query = parseQuery(quoted ? `"${part}"` : part)
        if ('problem' in query || query.terms.length === 0) return
        if (match(query, [whole])) expect(isInIndex(query, whole)).toBe(true)
      },
    ),
    { numRuns: 3000 },
  )
})

test('a text is found by itself, by each of its words, and in any normal form', () => {
  fc.assert(
    fc.property(text, fc.constantFrom('NFC', 'NFD', 'NFKC', 'NFKD'), (whole, form) => {
      const other = normalForm(whole, form)
      expect(tokensOf(other).map((token) => token.word)).toEqual(tokensOf(whole).map((token) => token.word))
      const query = parseQuery(`"${whole}"`)
      if ('problem' in query || query.terms.length === 0) return
      expect(match(query, [whole])).toBeDefined()
      expect(isInIndex(query, other)).toBe(true)
    }),
    { numRuns: 3000 },
  )
})

test('marks are in their order, do not overlap, and lie in the text', () => {
  fc.assert(
    fc.property(text, text, (whole, part) => {
      const query = parseQuery(part)
      if ('problem' in query) return
      for (const marks of match(query, [whole]) ?? []) {
        let last = -1
        for (const [start, end] of marks) {
          expect(start).toBeGreaterThan(last)
          expect(end).toBeGreaterThan(start)
          expect(end).toBeLessThanOrEqual(whole.length)
          last = end
        }
      }
    }),
  )
})

test('very many marks in a row take little time', () => {
  const began = performance.now()
  tokensOf(`a${'\u0316\u0301'.repeat(16_000)}`)
  expect(performance.now() - began).toBeLessThan(1000)
})
