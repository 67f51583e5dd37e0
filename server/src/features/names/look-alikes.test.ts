import { expect, test } from 'vitest'
import { newWallet, type Service, startService } from '../../../../testing/service/service.ts'

const setName = async (service: Service, address: string, name: string) =>
  (await service.as(address)).setName({ body: { address, name } })

test('another wallet does not get a name that is held, however it is decorated', async () => {
  await using service = await startService()
  const [vitalik, eve] = [newWallet(), newWallet()]
  await setName(service, vitalik, 'vitalik')
  for (const name of [
    'vitalik ✓',
    '✅ vitalik',
    'vitalik.',
    '@vitalik',
    'vitalik_',
    'vitalik (official)',
    'vitalik.e̲th',
    'vitalik. eth',
    'vitalik·eth',
    'vitalik-eth',
    'vitalik team',
    '🇻italik',
  ])
    await expect(setName(service, eve, name), name).rejects.toMatchObject({
      code: expect.stringMatching(/^(conflict|bad_request|forbidden)$/),
    })
  expect(await (await service.as(eve)).getName({ name: eve })).toEqual([])
  // A digit makes another name, and the wallet itself may decorate its own.
  expect(await setName(service, eve, 'vitalik1')).toBe(1)
  expect(await setName(service, vitalik, 'vitalik ♥')).toBe(1)
  await expect(setName(service, eve, 'vitalik')).rejects.toMatchObject({ code: 'conflict' })
})

test('honest names of many scripts are for their first owners', async () => {
  await using service = await startService()
  for (const name of ['李雷', 'Ñandú', 'Müller', 'محمد', 'अमित', "O'Brien", 'Jean-Luc', 'Anna B.']) {
    const [first, second] = [newWallet(), newWallet()]
    expect([name, await setName(service, first, name)]).toEqual([name, 1])
    expect(await (await service.as(second)).getName({ name: first })).toMatchObject([{ name }])
    await expect(setName(service, second, `${name}!`), name).rejects.toMatchObject({ code: 'conflict' })
  }
})

test('of wallets that decorate one name at once, on two instances, one gets it', async () => {
  await using service = await startService()
  await using other = await startService({ beside: service })
  const looks = ['satoshi', 'satoshi ♥', '@satoshi', 'satoshi.', 'S.A.T.O.S.H.I', 'satoshi help']
  const results = await Promise.allSettled(
    Array.from({ length: 24 }, (_, i) =>
      setName(i % 2 ? other : service, newWallet(), looks[i % looks.length]!),
    ),
  )
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const result of results)
    if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'conflict' })
})
