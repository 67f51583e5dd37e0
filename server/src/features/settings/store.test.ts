import { expect, test } from 'vitest'
import { newWallet, useService } from '../../../../testing/service/service.ts'

const one = useService()
const other = useService({ beside: one })

test('settings that are changed and deleted many times at once, on two instances: what was acknowledged was stored', async () => {
  const walletaddr = newWallet()
  const clients = [await one.as(walletaddr), await other.as(walletaddr)]
  const call = async (client: (typeof clients)[0], i: number): Promise<unknown> => {
    if (i % 3) return client.deleteSettings({ address: walletaddr })
    const domain = `${i}.example`
    const answer = await client.updateSettings({ body: { walletaddr, domain } })
    return expect(answer).toMatchObject([{ walletaddr, domain }])
  }
  await Promise.all(
    Array.from({ length: 14 }, async (_, n) => {
      for (let i = 0; i < 150; i++) await call(clients[n % 2]!, n + i)
    }),
  )
})
