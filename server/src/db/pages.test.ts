import { expect, test } from 'vitest'
import { twoWallets } from '../../../testing/people/two-wallets.ts'
import { useService } from '../../../testing/service/service.ts'
import { findConversation } from '../features/direct-messages/lists.ts'
import { pairBucket } from '../values/bucket.ts'
import { pagesOf } from './pages.ts'

const service = useService()

test('a list whose messages have large reactions comes in pages of few bytes', async () => {
  const t = await twoWallets(service)
  await Promise.all(Array.from({ length: 150 }, () => t.send('gm')))
  const { db } = service.ctx
  await db.query(
    `update direct_messages set marks = 2, reacted = array[$1, $1]
     where bucket = $2 and conversation_id = (select conversation_id from direct_messages where bucket = $2 and fromaddr = $3 limit 1)`,
    [JSON.stringify([{ value: 'x'.repeat(4096), count: 1 }]), pairBucket(t.alice, t.bob), t.alice],
  )
  const pages: number[] = []
  let rows = 0
  // The second read begins with what the first one has found.
  for (let read = 0; read < 2; read++)
    for await (const page of pagesOf(findConversation(db, t.alice, t.bob, {}), db)) {
      pages.push(page.length)
      rows += page.toString().split('"reactions"').length - 1
    }
  expect(rows).toBe(300)
  expect(Math.max(...pages)).toBeLessThan(200 * 1024)
})
