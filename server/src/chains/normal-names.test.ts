import { expect, test } from 'vitest'
import vectors from '../../../testing/cases/ens-names.json' with { type: 'json' }
import { normalizeName } from './ens.ts'

// These are the validation tests of ENSIP-15, of version 1.11.1 of its reference implementation (MIT): all that its author wrote,
// and every 250th of those that were generated. Each is a name with its normal form, or null where it has none.
test('a name has the normal form of the standard, or none', () => {
  expect(vectors.length).toBeGreaterThan(200)
  for (const [name, normal] of vectors as [string, string | null][])
    expect(normalizeName(name) ?? null, JSON.stringify(name)).toBe(normal)
})
