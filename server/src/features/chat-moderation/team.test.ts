import { expect, test } from 'vitest'
import { newName, newWallet, useService } from '../../../../testing/service/service.ts'
import { requirePublishing } from '../../auth/publishing.ts'

const service = useService()

/** A community with an owner, a moderator and a member. */
async function newTown() {
  const [owner, moderator, member] = [newWallet(), newWallet(), newWallet()]
  const [asOwner, asModerator, asMember] = await Promise.all(
    [owner, moderator, member].map((one) => service.as(one)),
  )
  const nftaddr = newName('town')
  await asOwner!.createCommunity({ body: { community: nftaddr } })
  for (const [walletaddr, client] of [
    [owner, asOwner],
    [moderator, asModerator],
    [member, asMember],
  ] as const)
    await client!.joinChat({ body: { walletaddr, nftaddr } })
  await asOwner!.addModerator({ nftaddr, walletaddr: moderator })
  return {
    nftaddr,
    owner,
    moderator,
    member,
    asOwner: asOwner!,
    asModerator: asModerator!,
    asMember: asMember!,
  }
}

test('the owner of a chat names its team; all who read the chat see it, in its log and on the card of the wallet', async () => {
  const { nftaddr, member, moderator, asOwner, asModerator, asMember } = await newTown()
  const named = { walletaddr: member, label: 'Florist', since: expect.any(String) }
  expect(
    await asOwner.addToChatTeam({ nftaddr, walletaddr: member, body: { label: 'Gardener' } }),
  ).toHaveLength(1)
  for (let n = 0; n < 2; n++)
    expect(await asOwner.addToChatTeam({ nftaddr, walletaddr: member, body: { label: 'Florist' } })).toEqual([
      named,
    ])
  expect(await asModerator.listChatTeam({ nftaddr })).toEqual([named])
  const [card] = await asModerator.getTrust({ peer: member })
  expect([card!.teams, card!.official]).toEqual([
    [{ nftaddr: nftaddr.toLowerCase(), label: 'Florist' }],
    undefined,
  ])
  // Who has not joined the chat learns nothing of it, and it is nobody of the service.
  const [outside] = await (await service.as(newWallet())).getTrust({ peer: member })
  expect(outside!.teams).toEqual([])
  expect(await service.anonymous.getOfficial({ walletaddr: member })).toEqual([])
  for (const client of [asModerator, asMember]) {
    const refused = { code: 'forbidden', message: expect.stringContaining('Only its owner') }
    await expect(
      client.addToChatTeam({ nftaddr, walletaddr: moderator, body: { label: 'Boss' } }),
    ).rejects.toMatchObject(refused)
  }
  await expect(
    asOwner.addToChatTeam({ nftaddr, walletaddr: moderator, body: { label: '✓ Official' } }),
  ).rejects.toMatchObject({ code: 'bad_request' })
  await asMember.removeFromChatTeam({ nftaddr, walletaddr: member })
  await asOwner.removeFromChatTeam({ nftaddr, walletaddr: member })
  expect(await asOwner.listChatTeam({ nftaddr })).toEqual([])
  const log = await asOwner.listChatLog({ nftaddr })
  expect(log.filter(({ subject }) => subject === member).map(({ action }) => action)).toEqual([
    'remove_from_team',
    'add_to_team',
    'add_to_team',
  ])
})

test('a team has twenty wallets, also when they are named at once; one that is erased is on none', async () => {
  const { nftaddr, asOwner, member, asMember } = await newTown()
  await asOwner.addToChatTeam({ nftaddr, walletaddr: member, body: { label: 'Florist' } })
  const results = await Promise.allSettled(
    Array.from({ length: 22 }, () =>
      asOwner.addToChatTeam({ nftaddr, walletaddr: newWallet(), body: { label: 'Helper' } }),
    ),
  )
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(19)
  for (const one of results) if (one.status === 'rejected') expect(one.reason.code).toBe('limit_reached')
  await asMember.eraseAccount({ address: member })
  expect((await asOwner.listChatTeam({ nftaddr })).map(({ walletaddr }) => walletaddr)).not.toContain(member)
})

test('whom an owner has named who is muted unseen, only that owner sees', async () => {
  const { nftaddr, owner, member, asOwner, asMember } = await newTown()
  await service.ctx.db.query(`insert into sanctions (subject, kind, ms) values ($1, 'shadow_mute', $2)`, [
    owner,
    Date.now(),
  ])
  await service.ctx.standing.refresh()
  expect(requirePublishing(service.ctx.standing, owner).isUnseen).toBe(true)
  expect(
    await asOwner.addToChatTeam({ nftaddr, walletaddr: member, body: { label: 'Florist' } }),
  ).toHaveLength(1)
  expect([await asOwner.listChatTeam({ nftaddr }), await asMember.listChatTeam({ nftaddr })]).toEqual([
    [expect.objectContaining({ label: 'Florist' })],
    [],
  ])
})
