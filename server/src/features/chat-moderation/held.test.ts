// The author of a post that waits for a moderator sees this.

import { expect, test } from 'vitest'
import { newName, newWallet, useService } from '../../../../testing/service/service.ts'

const service = useService()

test('its author reads that a post waits, at once and in lists, until a moderator has decided', async () => {
  const [owner, author, pier] = [newWallet(), newWallet(), newName('pier')]
  const [asOwner, asAuthor] = [await service.as(owner), await service.as(author)]
  await asOwner.createCommunity({ body: { community: pier } })
  await asOwner.setChatRules({ nftaddr: pier, body: { words: ['airdrop'] } })
  const post = async (message: string) =>
    (await asAuthor.postGroupMessage({ body: { fromaddr: author, nftaddr: pier, message } }))[0]!
  const list = async () =>
    (await asAuthor.listGroupMessages({ address: pier, useraddress: author, query: {} })).map(
      ({ message, held }) => [message, held],
    )
  const waiting = await post('a free airdrop')
  expect(waiting.held).toBe(true)
  expect((await post('hello')).held).toBeUndefined()
  expect(await list()).toEqual([
    ['a free airdrop', true],
    ['hello', undefined],
  ])
  expect(await asOwner.listGroupMessages({ address: pier, useraddress: owner, query: {} })).toHaveLength(1)
  await asOwner.decideHeldPost({ nftaddr: pier, id: waiting.id, body: { approve: true } })
  expect(await list()).toEqual([
    ['hello', undefined],
    ['a free airdrop', undefined],
  ])
})
