import { expect, test } from 'vitest'
import { startChain } from '../../../../testing/chains/chain.ts'
import { newWallet, startService, useService } from '../../../../testing/service/service.ts'

test('where the chain can be asked, an NFT chat is for holders; communities and other keys stay open', async () => {
  await using chain = await startChain()
  const [holder, stranger] = [newWallet(), newWallet()]
  const hats = await chain.deploy('Tokens.sol', 'Hats', ['Fine Hats'])
  const nftaddr = hats.address
  await using service = await startService({ rpcUrls: { [chain.chainId]: chain.url } })
  const [asHolder, asStranger] = [await service.as(holder), await service.as(stranger)]
  await asHolder.createCommunity({ body: { community: 'town' } })
  await chain.write(hats, 'mint', [holder, 1n])

  const post = (client: typeof asHolder, fromaddr: string, chat: string) =>
    client.postGroupMessage(
      { body: { fromaddr, nftaddr: chat, message: 'gm' } },
      { idempotencyKey: `${fromaddr}${chat}` },
    )
  expect(await post(asHolder, holder, nftaddr)).toMatchObject([{ message: 'gm' }])
  await expect(post(asStranger, stranger, nftaddr)).rejects.toMatchObject({ code: 'forbidden' })
  await expect(
    asStranger.listGroupMessages({ address: nftaddr, useraddress: stranger }),
  ).rejects.toMatchObject({ code: 'forbidden' })
  expect(await asHolder.listGroupMessages({ address: nftaddr, useraddress: holder })).toHaveLength(1)
  for (const chat of ['town', 'poap_1', newWallet()])
    expect(await post(asStranger, stranger, chat)).toHaveLength(1)
})

const cutOff = useService({ rpcUrls: { 1: 'http://127.0.0.1:9' } })

test('an NFT chat is closed while the chain is out of reach', async () => {
  const fromaddr = newWallet()
  const client = await cutOff.as(fromaddr)
  const nftaddr = newWallet()
  await expect(client.postGroupMessage({ body: { fromaddr, nftaddr, message: 'gm' } })).rejects.toMatchObject(
    { code: 'bad_gateway' },
  )
  await expect(client.listGroupMessages({ address: nftaddr, useraddress: fromaddr })).rejects.toMatchObject({
    code: 'bad_gateway',
  })
  await client.createCommunity({ body: { community: 'town' } })
  expect(await client.postGroupMessage({ body: { fromaddr, nftaddr: 'town', message: 'gm' } })).toHaveLength(
    1,
  )
})
