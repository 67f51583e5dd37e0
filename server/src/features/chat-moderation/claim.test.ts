import type { Client } from '@parley/sdk'
import { expect, test } from 'vitest'
import { startChain } from '../../../../testing/chains/chain.ts'
import { newWallet, startService } from '../../../../testing/service/service.ts'

test('the chat of a contract is claimed by who owns it on the chain, and by a later owner from the one before', async () => {
  await using chain = await startChain()
  await using service = await startService({ rpcUrls: { [chain.chainId]: chain.url } })
  const hats = await chain.deploy('Tokens.sol', 'Hats', ['Hats'])
  const write = (functionName: string, args: unknown[]) => chain.write(hats, functionName, args)
  const at = { nftaddr: hats.address }
  const [first, second, holder] = [newWallet(), newWallet(), newWallet()]
  const [asFirst, asSecond, asHolder] = await Promise.all([first, second, holder].map(service.as))
  await write('mint', [holder, 1n])
  const roles = async () =>
    (await asHolder!.listModerators(at)).map(({ walletaddr, role }) => [walletaddr, role])
  const refused = (client: Client | undefined) =>
    expect(client!.claimChat(at)).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining('owner()'),
    })
  await refused(asFirst)
  expect(await roles()).toEqual([])

  await write('transferOwnership', [first])
  expect((await asFirst!.claimChat(at)).map(({ walletaddr }) => walletaddr)).toEqual([first])
  await refused(asHolder)
  await asFirst!.addModerator({ ...at, walletaddr: holder })

  await write('transferOwnership', [second])
  await refused(asFirst)
  await asSecond!.claimChat(at)
  expect(await roles()).toEqual([
    [second, 'owner'],
    [first, 'moderator'],
    [holder, 'moderator'],
  ])
  expect((await asSecond!.listChatLog(at)).map(({ action, actor }) => [action, actor])).toEqual([
    ['claim', second],
    ['add_moderator', first],
    ['claim', first],
  ])

  // A contract that has no owner() is nobody's.
  const punks = await chain.deploy('Tokens.sol', 'OldPunks', [])
  await expect(asHolder!.claimChat({ nftaddr: punks.address })).rejects.toMatchObject({ status: 403 })
})
