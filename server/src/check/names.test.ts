import { expect, test } from 'vitest'
import { keepCommunity, keepName } from '../../../testing/older-names.ts'
import { newWallet, startService } from '../../../testing/service.ts'
import { reviewNames } from './names.ts'

test('names that the rule would refuse today stay, are named to the operator, and are held from now on', async () => {
  await using service = await startService()
  const [alice, bob, carol, eve] = [newWallet(), newWallet(), newWallet(), newWallet()]
  await keepName(service.ctx, alice, 'vitalik')
  await keepName(service.ctx, bob, 'Parley Help Desk')
  await keepName(service.ctx, carol, 'Anna B.')
  await keepCommunity(service.ctx, alice, 'Parley')
  await keepCommunity(service.ctx, alice, 'uniswap')
  await keepCommunity(service.ctx, eve, 'Uniswap.')
  const setName = async (address: string, name: string) =>
    (await service.as(address)).setName({ body: { address, name } })
  await setName(eve, 'anna b')

  const review = async () => {
    const marked: string[] = []
    const counts = await reviewNames(service.databaseUrl, ({ what, name, why }) => {
      marked.push(`${what} ${name}: ${why}`)
    })
    return { ...counts, marked: marked.toSorted() }
  }
  const expected = {
    read: 7,
    marked: [
      expect.stringMatching(/^community Parley: must be another name/),
      expect.stringMatching(
        /^community (Uniswap\.: looks like that of uniswap|uniswap: looks like that of uniswap\.)$/,
      ),
      `name Anna B.: looks like that of ${eve}`,
      expect.stringMatching(/^name Parley Help Desk: must be another name/),
    ],
  }
  expect(await review()).toEqual(expected)
  expect(await review()).toEqual(expected)

  const asEve = await service.as(eve)
  expect(await asEve.getName({ name: bob })).toMatchObject([{ name: 'Parley Help Desk' }])
  expect(await asEve.getName({ name: carol })).toMatchObject([{ name: 'Anna B.' }])
  await expect(setName(eve, 'vitalik ✓')).rejects.toMatchObject({ code: 'conflict' })
  await expect(asEve.createCommunity({ body: { community: 'uniswap-team' } })).rejects.toMatchObject({
    code: 'conflict',
  })
})
