import { expect, test } from 'vitest'
import {
  newName,
  newWallet,
  type Service,
  startService,
  useService,
} from '../../../../testing/service/service.ts'

const service = useService()
const other = useService({ beside: service })

const setName = async (on: Service, address: string, name: string) =>
  (await on.as(address)).setName({ body: { address, name } })

test('another wallet does not get a name that is held, however it is decorated', async () => {
  const end = newName('')
  const asIn = (name: string) => name.replace('italik', `italik${end}`)
  const [vitalik, eve] = [newWallet(), newWallet()]
  await setName(service, vitalik, asIn('vitalik'))
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
    await expect(setName(service, eve, asIn(name)), name).rejects.toMatchObject({
      code: expect.stringMatching(/^(conflict|bad_request|forbidden)$/),
    })
  expect(await (await service.as(eve)).getName({ name: eve })).toEqual([])
  // A digit makes another name, and the wallet itself may decorate its own.
  expect(await setName(service, eve, asIn('vitalik1'))).toBe(1)
  expect(await setName(service, vitalik, asIn('vitalik ♥'))).toBe(1)
  await expect(setName(service, eve, asIn('vitalik'))).rejects.toMatchObject({ code: 'conflict' })
})

test('honest names of many scripts are for their first owners', async () => {
  await using own = await startService()
  for (const name of ['李雷', 'Ñandú', 'Müller', 'محمد', 'अमित', "O'Brien", 'Jean-Luc', 'Anna B.']) {
    const [first, second] = [newWallet(), newWallet()]
    expect([name, await setName(own, first, name)]).toEqual([name, 1])
    expect(await (await own.as(second)).getName({ name: first })).toMatchObject([{ name }])
    await expect(setName(own, second, `${name}!`), name).rejects.toMatchObject({ code: 'conflict' })
  }
})

test('of wallets that decorate one name at once, on two instances, one gets it', async () => {
  const end = newName('')
  const looks = ['satoshi', 'satoshi ♥', '@satoshi', 'satoshi.', 'S.A.T.O.S.H.I', 'satoshi help'].map(
    (look) => look.replace(/s\.?a\.?t\.?o\.?s\.?h\.?i/i, (name) => name + end),
  )
  const results = await Promise.allSettled(
    Array.from({ length: 24 }, (_, i) =>
      setName(i % 2 ? other : service, newWallet(), looks[i % looks.length]!),
    ),
  )
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const result of results)
    if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'conflict' })
})
