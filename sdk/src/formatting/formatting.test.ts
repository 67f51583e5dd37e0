import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hasMarkers, type Part, partsOf, plainText } from './index.ts'

/** Writes parts as tags, so that a case is one line. */
const tags = (parts: Part[]): string =>
  parts
    .map((part) => {
      if (typeof part === 'string') return part
      const { tag, value, language } = part
      const named = [tag, value, language].filter((one) => one !== undefined).join(' ')
      return `<${named}>${tags(part.parts)}</${tag}>`
    })
    .join('')

test.each([
  ['**Note:** see *this* and _that_', '<strong>Note:</strong> see <em>this</em> and <em>that</em>'],
  ['~~yes~~, ~~no~~.', '<del>yes</del>, <del>no</del>.'],
  ['***both***', '<em><strong>both</strong></em>'],
  ['**a *b*** and *c **d***', '<strong>a <em>b</em></strong> and <em>c <strong>d</strong></em>'],
  ['**_a_** (*b*) “*c*” "*d*"', '<strong><em>a</em></strong> (<em>b</em>) “<em>c</em>” "<em>d</em>"'],
  ['I *really*, *really* mean it!', 'I <em>really</em>, <em>really</em> mean it!'],
  ['*one\ntwo*', '<em>one\ntwo</em>'],
  ['👍*yes* *👍*', '👍<em>yes</em> <em>👍</em>'],
  ['这是**重要**的', '这是<strong>重要</strong>的'],
  ['**שלום** עולם', '<strong>שלום</strong> עולם'],
  ['run `npm start` or ``a`b``', 'run <code>npm start</code> or <code>a`b</code>'],
  [
    '`**not**` and **yes `x*y*` here**',
    '<code>**not**</code> and <strong>yes <code>x*y*</code> here</strong>',
  ],
  ['```one line```', '<code>one line</code>'],
  ['*_nested ~~three~~ deep_*', '<em><em>nested <del>three</del> deep</em></em>'],
  ['**https://a.example/b_c_d**', '<strong>https://a.example/b_c_d</strong>'],
])('%s is formatted', (typed, shown) => {
  expect(tags(partsOf(typed))).toBe(shown)
})

test.each([
  'snake_case_name, __init__ and _x_y',
  '2*3*4 = 24, 2 * 3 * 4, 2**3**4',
  'src/**/*.ts, *.ts and *.js',
  '¯\\_(ツ)_/¯ >_< *_* -_- ^_^ T_T (•_•) ;_; >.<',
  '*_* and *_* again',
  'f**k f**** ****',
  '~/bin and ~5 to ~6',
  'a star "*" and a star "*"',
  'alone * and ** and _ and ~~',
  '*a\n\nb*',
  '**a* and `b',
  '`two\nlines`',
  '[text](https://a.example/) and ![picture](https://a.example/b.png)',
  '<b>bold</b> &amp; <!-- x --> <https://a.example/>',
  '# heading',
  'heading\n---\n***\n- - -',
  '| a | b |\n|---|---|',
  '\\*escaped\\*',
  'https://a.example/_x_/**y**?z=*',
  '-',
  '- ',
  '1.',
  '>',
  '>quote? >:(',
  '+1 and + 2',
  '-5 degrees',
  '```',
  '```\n```',
  '1.5 and 2.0',
])('%j stands as it was typed', (typed) => {
  expect(tags(partsOf(typed))).toBe(typed)
})

test.each([
  ['```ts\nconst a = 1\n\n  b()\n```', '<pre ts>const a = 1\n\n  b()</pre>'],
  ['look ```\ncode``` here', 'look<pre>code</pre>here'],
  ['```const a\nconst b```', '<pre>const a\nconst b</pre>'],
  ['```\nstill being *written*', '<pre>still being *written*</pre>'],
  ['````\n```\n````\nend', '<pre>```</pre>end'],
  ['buy:\n- milk\n* **eggs**\nthanks', 'buy:<ul><li>milk</li><li><strong>eggs</strong></li></ul>thanks'],
  ['1. a\n2) b\n7. c', '<ol><li 1>a</li><li 2>b</li><li 7>c</li></ol>'],
  ['- a\n  - b\n    more\n- c', '<ul><li>a<ul><li>b\nmore</li></ul></li><li>c</li></ul>'],
  ['- a\n1. b', '<ul><li>a</li></ul><ol><li 1>b</li></ol>'],
  ['> quoted\nanswer', '<blockquote>quoted</blockquote>answer'],
  ['> a\n>> b\n> c\n>\n> - d', '<blockquote>a<blockquote>b</blockquote>c<ul><li>d</li></ul></blockquote>'],
  ['> ```\n> x > y\n> ```', '<blockquote><pre>x > y</pre></blockquote>'],
  ['one\n\n\ntwo *x*\n\n- a\n\nend', 'one\n\n\ntwo <em>x</em><ul><li>a</li></ul>end'],
  ['a\r\n- b\r\n', 'a<ul><li>b</li></ul>'],
])('%j has blocks', (typed, shown) => {
  expect(tags(partsOf(typed))).toBe(shown)
})

test.each([
  ['**Hi** _you_,\n\nrun `x`', 'Hi you, run x'],
  ['> quoted\nanswer', 'quoted answer'],
  ['1. one\n2. two\n- three', '1. one 2. two • three'],
  ['```sh\nnpm start\n```', 'npm start'],
  ['snake_case stays', 'snake_case stays'],
  [' two\nlines ', 'two lines'],
])('%j is one line', (typed, line) => {
  expect(plainText(typed)).toBe(line)
})

test('a text without markers is one part, and is not read', () => {
  for (const typed of ['gm', 'two\nlines, 5 - 3 > 1', 'https://a.example/b'])
    expect([hasMarkers(typed), partsOf(typed)]).toEqual([false, [typed]])
})

const pieces = fc.constantFrom(
  ...'*|**|_|~~|`|```|> |- |1. |\n|\n\n| |  |(|)|"|[a](|#|word|snake_case|é|字|👍|שלום|https://a.example/b_c|\t|<b>'.split(
    '|',
  ),
)
const typed = fc.oneof(
  fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join('')),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
)

/** Everything of a text but markers, spaces and the signs of items. */
const words = (text: string) => text.replaceAll(/[\s*_~`>•.)-]/g, '')

const all = (parts: Part[]): string =>
  parts
    .map((part) =>
      typeof part === 'string' ? part : [part.value ?? '', part.language ?? '', all(part.parts)].join(''),
    )
    .join('')

test('whatever is typed is shown in its order, except markers', () => {
  fc.assert(
    fc.property(typed, (text) => {
      expect(words(all(partsOf(text)))).toBe(words(text))
    }),
    { numRuns: 3000 },
  )
})

test('a link has all its characters in one part, wherever it stands', () => {
  fc.assert(
    fc.property(typed, typed, (before, after) => {
      const link = 'https://shop.example/a_b_*c*/~~d?e=_f_g'
      expect(JSON.stringify(partsOf(`${before} ${link} ${after}`))).toContain(link)
    }),
    { numRuns: 1000 },
  )
})

/** Elements that have a text, so that none is empty. */
const isWhole = (part: Part): boolean =>
  typeof part === 'string' || (all([part]).trim() !== '' && part.parts.every(isWhole))

test('no element is empty, and none is deeper than a page can show', () => {
  const depth = (parts: Part[]): number =>
    Math.max(0, ...parts.map((part) => (typeof part === 'string' ? 0 : 1 + depth(part.parts))))
  fc.assert(
    fc.property(typed, (text) => {
      const parts = partsOf(text)
      expect(parts.every(isWhole)).toBe(true)
      expect(depth(parts)).toBeLessThan(40)
    }),
    { numRuns: 2000 },
  )
  for (const one of ['> ', '- ', '*_', '*a _b ', '>'])
    expect(depth(partsOf(`${one.repeat(5000)}x${'_*'.repeat(2000)}`))).toBeLessThan(40)
  const deep = Array.from({ length: 200 }, (_, n) => `${' '.repeat(n)}- a`).join('\n')
  expect(depth(partsOf(deep))).toBeLessThan(40)
})

const size = 32_000
const units =
  '*|**|[|`|``` |> |>|- |_*|*a |a* |*a b* |*a **b |_a *b ~~c |a**b_ c* |> a\n|> a\n\nb\n|- a\n|1. a\n|> - a\n|' +
  '```\na\n```\n|x ```\n|*a\n|the quick\n|\n| \n|\t| |http://|http://.|*http://a* |~~a~~ |`a` |a`'
const hostile = units
  .split('|')
  .flatMap((one) => [one.repeat(size / one.length), `${one.repeat(size / one.length)}x`])
  .concat(
    Array.from({ length: 250 }, (_, n) => `${'`'.repeat(n + 1)} a`).join(' '),
    Array.from({ length: 250 }, (_, n) => `x ${'`'.repeat(253 - n)} a`).join('\n'),
    Array.from({ length: 250 }, (_, n) => `${' '.repeat(n)}- a`).join('\n'),
    `${'*a '.repeat(size / 6)}${'b** '.repeat(size / 8)}`,
  )

test('a text of 32,000 characters made to cost time is read in 50 ms, and has at most 1,000 elements', () => {
  const count = (parts: Part[]): number =>
    parts.reduce((sum, part) => (typeof part === 'string' ? sum : sum + 1 + count(part.parts)), 0)
  for (const text of hostile) {
    // Other tests run beside this one: one of twenty tries is enough.
    let fastest = Infinity
    for (let i = 0; i < 20 && fastest >= 50; i++) {
      const begun = performance.now()
      partsOf(text)
      fastest = Math.min(fastest, performance.now() - begun)
    }
    expect(fastest, text.slice(0, 20)).toBeLessThan(50)
    expect(count(partsOf(text))).toBeLessThanOrEqual(1000)
  }
})
