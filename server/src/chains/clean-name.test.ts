import { withoutUnseen } from '@parley/sdk/unseen.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cleanName } from './clean-name.ts'

test.each([
  ['👨‍👩‍👧 Family #1', '👨‍👩‍👧 Family #1'],
  ['🏴󠁧󠁢󠁥󠁮󠁧󠁿 England', '🏴󠁧󠁢󠁥󠁮󠁧󠁿 England'],
  ['❤️ Hearts', '❤️ Hearts'],
  ['می\u200cخواهم', 'می\u200cخواهم'],
  ['\u202eeman a', 'eman a'],
  ['a\u2066b\u2069c\u200e', 'abc'],
  ['a\u200db\ufe0fc', 'abc'],
  ['ok\u{e0041}\u{e0042}', 'ok'],
  ['two\nlines\0\ue000\u{10ffff}', 'twolines'],
  ['\ufeff name ', 'name'],
])('%j is shown as %j', (name, shown) => expect(cleanName(name)).toBe(shown))

test('a name that was cut ends with no joiner, and has nothing that is not seen', () => {
  expect(cleanName(`${'a'.repeat(98)}👨‍👩‍👧`)).toBe(`${'a'.repeat(98)}👨`)
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (name) => {
      const shown = cleanName(name)
      expect(withoutUnseen(shown)).toBe(shown)
    }),
  )
})
