// What becomes of a name of ENS that somebody has typed, before it is looked up.

import { expect, test } from 'vitest'
import vectors from '../../testing/cases/ens-names.json' with { type: 'json' }
import { spellEns } from '../src/names/ens-spelling.ts'

test('a typed name becomes its normal form or is refused in words, and never another name without a question', async () => {
  for (const [typed, normal] of vectors as [string, string | null][]) {
    const spelling = await spellEns(typed)
    if (normal === null) expect(spelling, typed).toEqual({ problem: expect.stringContaining('can’t be') })
    else if (normal === typed) expect(spelling, typed).toEqual({ name: typed })
    else expect(Object.values(spelling), typed).toEqual([normal])
  }
})

test.each([
  ['Vitalik.eth', { name: 'vitalik.eth' }],
  ['VITALIK.ETH', { name: 'vitalik.eth' }],
  ['🚴‍♂️.eth', { name: '🚴‍♂.eth' }],
  ['mu\u0308ller.eth', { name: 'müller.eth' }],
  // What is read as alice.eth is aiice.eth.
  ['aIice.eth', { instead: 'aiice.eth' }],
  ['ⓥitalik.eth', { instead: 'vitalik.eth' }],
  ['vita\u200blik.eth', { instead: 'vitalik.eth' }],
  ['½.eth', { instead: '1⁄2.eth' }],
  ['ａlice.eth', { instead: 'alice.eth' }],
])('%s', async (typed, spelling) => expect(await spellEns(typed)).toEqual(spelling))

test.each(['аlice.eth', 'ali\u202ece.eth', 'a b.eth', 'a_b.eth', 'xn--ls8h.eth', '.eth'])(
  '%s is no name',
  async (typed) => expect(await spellEns(typed)).toHaveProperty('problem'),
)
