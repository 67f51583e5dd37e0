// Wallets of Solana call every endpoint, and write to wallets of Ethereum. Their addresses have letters of both cases, and the same
// letters in another case are another wallet.

import { type Endpoint } from '@parley/sdk/contract/endpoint.ts'
import { contract } from '@parley/sdk/contract/index.ts'
import { expect, test } from 'vitest'
import { requestOf } from '../../testing/cases/callers.ts'
import { newSolanaWallet } from '../../testing/people/solana-wallet.ts'
import { unzip } from '../../testing/service/files.ts'
import { newName, newToken, newWallet, useService } from '../../testing/service/service.ts'

const service = useService()

const values = { nftaddr: '0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb', id: '1', type: 'dm' }
const ofOneWallet = Object.entries<Endpoint>(contract).filter(
  ([, { self, produces }]) => self !== undefined && produces !== 'text/event-stream',
)

const newAddress = () => newSolanaWallet().address

test.each(ofOneWallet)(
  '%s is for a wallet of Solana, and not for the same letters in lower case',
  async (_, endpoint) => {
    const wallets = [endpoint.self!].flat().map(newAddress)
    const call = async (as: string) => {
      const authorization = `Bearer ${await newToken(service.ctx, as)}`
      const asked = {
        ...requestOf(endpoint, wallets, values),
        headers: { authorization, 'idempotency-key': newWallet() },
      }
      return service.app.inject(asked)
    }
    const other = await call(wallets[0]!.toLowerCase())
    expect(other.statusCode).toBe(403)
    expect(other.json().detail).toContain('This belongs to another wallet.')
    const own = await call(wallets[0]!)
    expect(own.statusCode).not.toBe(403)
    expect(own.statusCode).toBeLessThan(500)
  },
)

test('what a wallet of Solana says and is called has its address as it is, everywhere', async () => {
  const [sol, evm] = [newAddress(), newWallet()]
  const [asSol, asEvm] = [await service.as(sol), await service.as(evm)]
  const name = newName('Sol')
  await asSol.setName({ body: { address: sol, name } })
  expect(await asEvm.resolveName({ name })).toMatchObject({ address: sol })
  expect(await asEvm.getName({ name: sol })).toMatchObject([{ address: sol, name }])
  expect(await asEvm.getName({ name: sol.toLowerCase() })).toEqual([])

  await asEvm.setContact({ peer: sol, body: { state: 'accepted', alias: 'the seller' } })
  await asSol.sendDirectMessage({ body: { fromaddr: sol, toaddr: evm, message: `ask @${sol}` } })
  await asEvm.sendDirectMessage({ body: { fromaddr: evm, toaddr: sol, message: 'gm' } })
  const pair = { fromaddr: sol, toaddr: evm }
  expect((await asEvm.listConversation(pair)).map(({ fromaddr, toaddr }) => [fromaddr, toaddr])).toEqual([
    [sol, evm],
    [evm, sol],
  ])
  expect(await asEvm.getInbox({ address: evm })).toMatchObject([{ fromaddr: evm, toaddr: sol }])
  // The same letters in another case are somebody else.
  const stranger = await service.as(sol.toLowerCase())
  await expect(stranger.listConversation(pair)).rejects.toMatchObject({ code: 'forbidden' })

  const authorization = `Bearer ${await newToken(service.ctx, sol)}`
  const url = `/v1/export/${sol}`
  const exported = await service.app.inject({ url, headers: { authorization } })
  expect(exported.statusCode).toBe(200)
  const files = [...(await unzip(exported.rawPayload)).values()].map(String).join('\n')
  expect(files).toContain(sol)
  expect(files).not.toContain(sol.toLowerCase())
})

test('a wallet of Solana with a chain before its address is refused, with the right form', async () => {
  const [sol, evm] = [newAddress(), newWallet()]
  const sent = (await service.as(evm)).sendDirectMessage({
    body: { fromaddr: evm, toaddr: `solana:${sol}`, message: 'gm' },
  })
  await expect(sent).rejects.toMatchObject({
    code: 'bad_request',
    message: expect.stringContaining(`send ${sol} alone`),
  })
})
