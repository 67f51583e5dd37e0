import fc from 'fast-check'
import { expect, test } from 'vitest'
import { startService } from '../../../testing/service.ts'

test('text comes as the bytes it is, alone and within a transaction; what is no text is refused', async () => {
  await using service = await startService()
  const { db } = service.ctx
  const text = fc.string({ unit: 'grapheme', maxLength: 50 }).filter((value) => !value.includes('\0'))
  await fc.assert(
    fc.asyncProperty(text, fc.constantFrom(1, 300), async (value, times) => {
      const sql = 'select repeat($1, $2::int) as long, null::text as nothing'
      const expected = [{ long: Buffer.from(value.repeat(times)), nothing: null }]
      expect(await db.queryBytes(sql, [value, times])).toEqual(expected)
      expect(await db.transaction((tx) => tx.queryBytes(sql, [value, times]))).toEqual(expected)
    }),
    { numRuns: 50 },
  )
  await expect(db.queryBytes('select 1 as one')).rejects.toThrow('Every column must be text.')
  expect(await db.queryBytes(`select 'gm' as greeting`)).toEqual([{ greeting: Buffer.from('gm') }])
})
