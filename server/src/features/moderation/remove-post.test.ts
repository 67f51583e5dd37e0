import { expect, test } from 'vitest'
import { listenTo } from '../../../../testing/service/event-listener.ts'
import { addOperator } from '../../../../testing/people/moderators.ts'
import { newWallet, useService } from '../../../../testing/service/service.ts'

const service = useService()
const second = useService({ beside: service })

test('an operator removes a post: its author has a notice, the members an event, the log its id', async () => {
  const punks = newWallet()
  const [alice, bob, operator] = [newWallet(), newWallet(), newWallet()]
  await addOperator(service, operator)
  const [asAlice, asBob, asOperator] = [
    await service.as(alice),
    await second.as(bob),
    await service.as(operator),
  ]
  await asBob.joinChat({ body: { walletaddr: bob, nftaddr: punks } })
  await using ofBob = await listenTo(second, bob)
  const [post] = await asAlice.postGroupMessage({
    body: { fromaddr: alice, nftaddr: punks, message: 'spam' },
  })
  const [own] = await asBob.postGroupMessage({ body: { fromaddr: bob, nftaddr: punks, message: 'gm' } })
  const [direct] = await asAlice.sendDirectMessage({
    body: { fromaddr: alice, toaddr: bob, message: 'spam' },
  })
  const act = (more: object) =>
    asOperator.act({ body: { action: 'remove_post', subject: alice, reason: 'It is spam', ...more } })
  const [logged] = await act({ item_id: post!.id })
  expect(logged).toMatchObject({ action: 'remove_post', subject: alice, item_id: post!.id })

  const removal = { removed: true, removed_by: 'operator' }
  expect(await asBob.listGroupMessages({ address: punks, useraddress: bob })).toMatchObject([
    { ...post, message: '', ...removal },
    own!,
  ])
  await expect
    .poll(() => ofBob.events())
    .toContainEqual({ type: 'post-removed', id: post!.id, nftaddr: punks, removed_by: 'operator' })
  expect(await asAlice.listNotices()).toMatchObject([{ action: 'remove_post', reason: 'It is spam' }])
  expect(await asBob.countUnreadOfChat({ address: punks, useraddress: bob })).toBe(0)

  // These are a post of another wallet, a direct message, an unknown id, and no id.
  for (const more of [{ item_id: own!.id }, { item_id: direct!.id }, { item_id: post!.id + 64 }, {}])
    await expect(act(more)).rejects.toMatchObject({ code: 'bad_request' })
  await expect(act({ action: 'warn', item_id: post!.id })).rejects.toMatchObject({ code: 'bad_request' })
  const log = await asOperator.listModerationLog({})
  expect(log.filter((entry) => entry.operator === operator)).toHaveLength(1)
  // A repetition is logged, and changes nothing.
  await act({ item_id: post!.id })
  expect(ofBob.events().filter(({ type }) => type === 'post-removed')).toHaveLength(1)
})
