import { expect, test } from 'vitest'
import { newWallet, useService } from '../../testing/service/service.ts'
import { pages } from './pages.ts'

const service = useService()

test('pages lead from the newest message back to the first, and forward from any', async () => {
  const [fromaddr, toaddr] = [newWallet(), newWallet()]
  const client = await service.as(fromaddr)
  const ids: number[] = []
  for (let i = 0; i < 6; i++) {
    const [sent] = await client.sendDirectMessage({ body: { fromaddr, toaddr, message: `${i}` } })
    ids.push(sent!.id)
  }
  const read = async (query: { limit?: number; after?: number; before?: number }) => {
    const all = await Array.fromAsync(pages(client.listConversation, { fromaddr, toaddr, query }))
    return all.map((page) => page.map(({ message }) => Number(message)))
  }
  expect(await read({ limit: 4 })).toEqual([
    [2, 3, 4, 5],
    [0, 1],
  ])
  expect(await read({ limit: 3 })).toEqual([
    [3, 4, 5],
    [0, 1, 2],
  ])
  expect(await read({ limit: 2, before: ids[3]! })).toEqual([[1, 2], [0]])
  expect(await read({ limit: 2, after: ids[1]! })).toEqual([
    [2, 3],
    [4, 5],
  ])
  expect(await read({})).toEqual([[0, 1, 2, 3, 4, 5]])
  expect(await read({ after: ids[5]! })).toEqual([])
})
