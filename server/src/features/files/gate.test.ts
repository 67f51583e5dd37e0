import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { startChain } from '../../../../testing/chains/chain.ts'
import { download, upload } from '../../../../testing/people/uploading.ts'
import { newWallet, startService } from '../../../../testing/service/service.ts'

afterEach(() => vi.restoreAllMocks())

const bytes = randomBytes(2000)
const realNow = performance.now.bind(performance)

/** Lets seconds pass for what the gate remembers. */
async function pass(seconds: number) {
  const now = performance.now() + seconds * 1000 - realNow()
  vi.spyOn(performance, 'now').mockImplementation(() => realNow() + now)
  await sleep(5)
}

test('who sells the token of a chat reads its files for a minute at most, and who buys it reads them then', async () => {
  await using chain = await startChain()
  const hats = await chain.deploy('Tokens.sol', 'Hats', ['Hats'])
  const nftaddr = hats.address
  const send = (functionName: string, args: unknown[]) => chain.write(hats, functionName, args)
  const [holder, seller, buyer] = [newWallet(), newWallet(), newWallet()]
  await send('mint', [holder, 1n])
  await send('mint', [seller, 2n])
  await using service = await startService({ rpcUrls: { [chain.chainId]: chain.url } })
  const asHolder = await service.as(holder)
  const { id } = await upload(asHolder, { nftaddr, name: 'for-holders.bin' }, bytes)
  await asHolder.postGroupMessage({ body: { fromaddr: holder, nftaddr, message: 'look', files: [id] } })
  const reads = async (wallet: string) =>
    download(await service.as(wallet), id).then(
      (read) => read.equals(bytes),
      ({ code }: { code: string }) => code,
    )
  const all = async () => [await reads(holder), await reads(seller), await reads(buyer)]
  expect(await all()).toEqual([true, true, 'not_found'])
  await send('move', [buyer, 2n])
  await pass(61)
  expect(await all()).toEqual([true, 'not_found', true])
  // A part of it, and whether it has changed, are no way around.
  const asSeller = await service.as(seller)
  for (const header of [{ range: 'bytes=0-9' }, { 'if-none-match': `"${id}"` }])
    await expect(asSeller.getFile({ file: id }, { headers: header })).rejects.toMatchObject({
      code: 'not_found',
    })
})
