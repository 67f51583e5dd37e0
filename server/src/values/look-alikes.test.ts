import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseName, parseSlug } from './display-name.ts'

const skeletonsOf = (text: string): string[] => {
  const name = parseName(text)
  return 'problem' in name ? [] : name.skeletons
}
const problemOf = (text: string) => {
  const name = parseName(text)
  return 'problem' in name ? name.problem : undefined
}
/**
 * Returns true when another wallet cannot have the name: by the rule, by the chain, or because it looks like the existing one.
 */
const isKeptFrom = (held: string, text: string) => {
  const name = parseName(text)
  if ('problem' in name || name.onChain) return true
  return skeletonsOf(held).some((skeleton) => name.skeletons.includes(skeleton))
}

const honest = [
  '李雷',
  'Ñandú',
  'Müller',
  'محمد',
  'अमित',
  'अमृता',
  "O'Brien",
  'Jean-Luc',
  'Anna B.',
  'Nguyễn Văn',
  'Дмитрий',
  'Ελένη',
  'שָׁלוֹם',
  'ジョン・スミス',
  '김민준',
  'สมชาย',
  'မြို့',
  'J.R.R. Tolkien',
  'Abbott',
  'Robot 7',
  'Steamboat',
  'Kenneth',
  'Seth',
  'Bethany',
  'Youssef',
  'Mia & Tom',
  'vitalik1',
]

test.each(honest)('%s is a name', (name) => expect(parseName(name)).toMatchObject({ name, onChain: false }))

test('honest names are not alike', () => {
  for (const one of honest)
    for (const other of honest)
      if (one !== other)
        expect([
          one,
          other,
          skeletonsOf(one).some((skeleton) => skeletonsOf(other).includes(skeleton)),
        ]).toEqual([one, other, false])
  // Vowels count, marks over letters do not.
  expect(isKeptFrom('अमित', 'अमृत')).toBe(false)
  expect(isKeptFrom('Müller', 'Muller')).toBe(true)
  expect(isKeptFrom('محمد', 'محمّد')).toBe(true)
})

type Change = [string, (name: string) => string]

const around: Change[] = [
  ['a check mark', (name) => `${name} ✓`],
  ['an emoji', (name) => `✅ ${name}`],
  ['a flag', (name) => `${name} 🇫🇷`],
  ['a dot', (name) => `${name}.`],
  ['an at sign', (name) => `@${name}`],
  ['an underscore', (name) => `${name}_`],
  ['brackets', (name) => `[${name}]`],
  ['a trade mark', (name) => `${name}™`],
  ['a bar that looks like a letter', (name) => `| ${name} |`],
  ['a word in brackets', (name) => `${name} (official)`],
  ['a word behind', (name) => `${name} team`],
  ['a word in front', (name) => `The Real ${name}`],
  ['a word without a space', (name) => `${name}official`],
  ['a word in look-alike letters', (name) => `${name} ѕecurity`],
  ['a word in capitals', (name) => `${name} HELP DESK`],
  ['the end of a chain’s name, marked', (name) => `${name}.e̲th`],
  ['the end of a chain’s name, with a space', (name) => `${name}. eth`],
  ['the end of a chain’s name, with a middle dot', (name) => `${name}·eth`],
  ['the end of a chain’s name, with a hyphen', (name) => `${name}-eth`],
  ['the end of a chain’s name, with a word', (name) => `${name} ETH team`],
]

const inside: Change[] = [
  ['nothing', (name) => name],
  ['a mark over a letter', (name) => name.replace(/.$/u, (last) => `${last}\u0332`)],
  ['a mark of another script', (name) => `${name}\u0902`],
  ['dots between', (name) => Array.from(name).join('.')],
  ['spaces between', (name) => Array.from(name).join(' ')],
  ['capitals', (name) => name.toUpperCase()],
  [
    'full-width letters',
    (name) => name.replace(/[a-z]/g, (a) => String.fromCharCode(a.charCodeAt(0) + 0xfee0)),
  ],
  [
    'letters in squares',
    (name) => name.replace(/[a-z]/g, (a) => String.fromCodePoint(a.charCodeAt(0) + 0x1f10f)),
  ],
  [
    'letters of flags',
    (name) => name.replace(/[a-z]/g, (a) => String.fromCodePoint(a.charCodeAt(0) + 0x1f185)),
  ],
]

test('no decoration makes another name of one that is held', () => {
  const letters = fc.string({
    unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'.split('')),
    minLength: 3,
    maxLength: 12,
  })
  const changes = fc.tuple(fc.constantFrom(...inside), fc.constantFrom(...around))
  fc.assert(
    fc.property(letters, changes, (held, [[first, change], [then, decorate]]) => {
      fc.pre(problemOf(held) === undefined)
      // A flag is two such letters.
      fc.pre(!(first === 'letters of flags' && then === 'a flag'))
      for (const name of [change(held), decorate(held), decorate(change(held))])
        expect([held, first, then, name, isKeptFrom(held, name)]).toEqual([held, first, then, name, true])
    }),
    { numRuns: 2000 },
  )
})

test.each([
  'Parley Help Desk',
  'parley-security',
  'Parley Bot',
  'The Parley Team',
  'рarley',
  'ParIeyCare',
  'MetaMask Support',
  'ＭｅｔａＭａｓｋ',
  'Rainbow Wallet Support',
  'WalletHelpdesk',
  'Verified',
  'Officiаl news',
  'You',
  'You have 1 new message',
  'Your account is locked',
  '1 new message',
  'Note to self',
  '😀',
  '...',
  'Security Team',
  'a.d.m.i.n',
])('%s is reserved', (name) => expect(problemOf(name)).toContain('reserved'))

test.each([
  'https://evil.example/claim',
  'www.evil.com',
  'evil.com/claim',
  'evil.com',
  'Claim at evil.xyz now',
  'evil.сom',
  'evil․com',
  'evil。com',
  'ｅｖｉｌ．ｃｏｍ',
  'evil.test:8080',
  'x.eth/claim',
  'me@evil.host',
  'ipfs://abc',
  'ЕVIL.COM',
])('%s has the shape of a URL', (name) => expect(problemOf(name)).toContain('web site'))

test.each([
  `0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbЬ`,
  '0xb47e…3bbЬ',
  '0хb47e…3bbb',
  '0xb47e...3bbb (me)',
  'me 0xb47e…3bbb',
  '0xb47e - 3bbb 193b',
  '0xb47e****3bbb',
  '0XB47E3CD8',
  'Οxb47e3cd8',
  'poap_42',
  'рoap_42',
])('%s has the shape of an address', (name) => expect(problemOf(name)).toContain('address'))

test('letters carry a few marks', () => {
  expect(problemOf(`a${'\u0332'.repeat(63)}`)).toContain('marks')
  expect(problemOf(`a${'\u0332'.repeat(4)}`)).toBeUndefined()
})

test('the longest skeletons fit an index', () => {
  for (const letter of ['\ufdfa', '𠮷', 'm', '🅰']) {
    const slug = parseSlug(letter.repeat(128))
    for (const skeleton of 'skeletons' in slug ? slug.skeletons : [])
      expect(Buffer.byteLength(skeleton)).toBeLessThan(2600)
  }
})

test('names of communities follow the same rule', () => {
  const slugs = ['uniswap', 'unіswap', 'Uniswap.', '@uniswap', 'uniswap-team']
  const all = slugs.map((slug) => parseSlug(slug))
  for (const one of all) expect(one).toMatchObject({ skeletons: expect.arrayContaining(['uniswap']) })
  for (const slug of [
    'parley',
    'Parley-Support',
    'ｐａｒｌｅｙ',
    'https://evil.test/claim',
    'evil.com',
    `0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbЬ`,
    'vitalik.eth',
    'vitalik-eth',
    'рoap_1',
    '✅',
    'ㅤtown',
    `a${'\u0332'.repeat(9)}`,
    'nft',
    'Community',
  ])
    expect(parseSlug(slug), slug).toMatchObject({ problem: expect.stringMatching(/^must /) })
})
