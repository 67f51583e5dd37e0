import { asciiOf } from '@parley/sdk/claims/letters.ts'
import { normalForm } from '@parley/sdk/normal-form.ts'
import { expect, test } from 'vitest'
import { parseName, parseSlug } from './display-name.ts'
import { confusableCharacters, skeletonOf } from './skeleton.ts'

test.each([
  'Mira ✓',
  '✔️ Mira',
  'Mira ✅',
  '☑Mira',
  '🛡️ Mira',
  'Mira 🏅',
  'M✓ra',
  'Mira 🔰',
  'Mira √',
  '㊣ Mira',
])('%s has what looks like the sign of a team', (name) => {
  const expected = { problem: expect.stringContaining('looks like the sign of a team') }
  expect([
    parseName(name),
    parseName(name, { isOfficial: true }),
    parseSlug(name.replace(/ /g, '-')),
  ]).toEqual([expected, expected, expected])
})

test.each(['Support', 'Help Desk', 'Official news'])(
  '%s is a name for a wallet of the team alone',
  (name) => {
    expect(parseName(name)).toMatchObject({ problem: expect.stringContaining('reserved') })
    expect(parseName(name, { isOfficial: true })).toMatchObject({
      name,
      skeletons: expect.arrayContaining([name.toLowerCase()]),
    })
  },
)

test('the letters of the SDK are those of Unicode’s table that look like ASCII', () => {
  const plain = (text: string) => skeletonOf(text).toLowerCase().replace(/\p{M}/gu, '')
  // The service reads m as rn and w as vv, and l, i, 1 and | as one letter.
  const same = (text: string) =>
    text.replaceAll('rn', 'm').replaceAll('vv', 'w').replace(/[i1|]/g, 'l').replace(/0/g, 'o')
  let compared = 0
  for (const character of confusableCharacters()) {
    const lower = normalForm(character, 'NFKD').replace(/\p{M}/gu, '').toLowerCase()
    if (!/^[a-z0-9]{1,2}$/.test(plain(character)) || /^[\0-\x7f]*$/.test(lower)) continue
    if (Array.from(lower).length > 1) continue
    compared += 1
    expect(asciiOf.has(lower), character).toBe(true)
    const looks = [character, lower, lower.toUpperCase()].map((form) => same(plain(form)))
    // A capital may look like another letter than its small one: the table has one of both.
    if (!looks.includes(same(asciiOf.get(lower)!))) expect('σνηυ', character).toContain(lower)
  }
  expect(compared).toBeGreaterThan(700)
})
