import fc from 'fast-check'
import { expect, test } from 'vitest'
import { useService } from '../../../testing/service/service.ts'

const service = useService()

test('text comes as bytes when asked for, alone and within a transaction; other types are refused', async () => {
  const { db } = service.ctx
  const text = fc.string({ unit: 'grapheme', maxLength: 50 }).filter((value) => !value.includes('\0'))
  await fc.assert(
    fc.asyncProperty(text, fc.constantFrom(1, 300), async (value, times) => {
      const sql = 'select repeat($1, $2::int) as long, null::text as nothing'
      const expected = [{ long: Buffer.from(value.repeat(times)), nothing: null }]
      expect(await db.query(sql, [value, times], 'bytes')).toEqual(expected)
      expect(await db.transaction((tx) => tx.query(sql, [value, times], 'bytes'))).toEqual(expected)
    }),
    { numRuns: 50 },
  )
  await expect(db.query('select 1 as one', [], 'bytes')).rejects.toThrow('Every column must be text.')
  expect(await db.query(`select 'gm' as greeting`, [], 'bytes')).toEqual([{ greeting: Buffer.from('gm') }])
})
