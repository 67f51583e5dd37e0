import { expect, test } from 'vitest'
import { newCommunity } from '../../../../testing/people/chat-members.ts'
import { newName, useService } from '../../../../testing/service/service.ts'
import { findPostLines } from './post-lines.ts'

const service = useService()

test('a page of an export ends after some bytes, however often long posts were edited', async () => {
  const [, member] = await newCommunity(service, newName('town'))
  for (let n = 0; n < 3; n++) {
    const { id } = await member.post('x'.repeat(65_536))
    for (let revision = 0; revision < 10; revision++)
      await member.client.editMessage({ id, body: { message: `${revision}`.repeat(65_536), revision } })
  }
  const pages: string[] = []
  for await (const page of findPostLines(service.ctx.db, member.address)) pages.push(page)
  expect(Math.max(...pages.map(({ length }) => length))).toBeLessThan(2 * 1024 * 1024)
  const lines = pages.join('').trim().split('\n')
  expect(lines.map((line) => (JSON.parse(line) as { edits: unknown[] }).edits.length)).toEqual([10, 10, 10])
})
