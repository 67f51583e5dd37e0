import fc from 'fast-check'
import { expect, test } from 'vitest'
import { useService } from '../../../testing/service/service.ts'
import { bucketOf, chatBucket, inOrder, pairBucket } from './bucket.ts'

const service = useService()

test('buckets and the order of a pair are those of the database, for any text', async () => {
  const text = fc
    .string({ unit: 'binary', minLength: 1, maxLength: 20 })
    .filter((value) => !value.includes('\0'))
  await fc.assert(
    fc.asyncProperty(text, text, async (one, other) => {
      const [row] = await service.ctx.db.query<{ bucket: number; room: number; a: string; b: string }>(
        `select bucket_of($1) as bucket, chat_bucket($1 || '/' || $2) as room, least($1::text collate "C", $2) as a, greatest($1::text collate "C", $2) as b`,
        [one, other],
      )
      expect([bucketOf(one), ...inOrder(one, other)]).toEqual([row!.bucket, row!.a, row!.b])
      expect(chatBucket(`${one}/${other}`)).toBe(row!.room)
      expect(pairBucket(one, other)).toBe(pairBucket(other, one))
    }),
    { examples: [['\u{1f99c}', '\uffe5']] },
  )
})
