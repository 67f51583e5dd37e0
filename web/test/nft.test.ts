import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startChain } from '../../testing/chains/chain.ts'
import { newWallet, type Service, startSite } from '../../testing/service/service.ts'
import { acquaint, arrive, bubble, eventually, keepSession, openPerson, say, visit } from './person.ts'
import { punks } from './places.ts'

const stack = new AsyncDisposableStack()
const owner = newWallet()
let service: Service
let plain: Service
let contract: string
beforeAll(async () => {
  const picture = await sharp({ create: { width: 90, height: 90, channels: 3, background: '#c33' } })
    .png()
    .toBuffer()
  const host = createServer((_request, response) =>
    response.end(
      JSON.stringify({
        name: 'Red <b>hat</b>',
        image: `data:image/png;base64,${picture.toString('base64')}`,
      }),
    ),
  )
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
  stack.defer(() => void host.close())
  const site = `127.0.0.1:${(host.address() as AddressInfo).port}`
  const chain = stack.use(await startChain())
  const hats = await chain.deploy('Tokens.sol', 'Pictures', ['Fine Hats'])
  contract = hats.address
  for (const [to, id] of [
    [owner, 7n],
    [contract, 8n],
  ] as const)
    await chain.write(hats, 'mint', [to, id, `http://${site}/${id}.json`])
  service = stack.use(await startSite({ rpcUrls: { [chain.chainId]: chain.url }, privateFetchHosts: [site] }))
  plain = stack.use(await startSite())
})
afterAll(() => stack.disposeAsync())

test('an NFT is a picture with a name and its owner on top of the conversation, and a chip on messages', async () => {
  await using alice = await openPerson(await service.listen())
  const { page } = alice
  await (await service.as(owner)).setName({ body: { address: owner, name: 'Milliner' } })
  await arrive(alice, `/dm/${owner}`)
  await page.getByRole('button', { name: 'Conversation options' }).click()
  await page.getByRole('menuitem', { name: 'Talk about an NFT' }).click()
  // A link to a marketplace fills both fields.
  await page.getByLabel('Contract address').fill(`https://opensea.io/assets/ethereum/${contract}/7`)
  expect(await page.getByLabel('Token id').inputValue()).toBe('7')
  await page.getByRole('dialog').getByText('Red <b>hat</b>').waitFor()
  await page.getByRole('button', { name: 'Continue' }).click()

  const card = page.getByRole('complementary', { name: 'What this conversation is about' })
  await card.getByText('Red <b>hat</b>').waitFor()
  await card.getByText('Fine Hats').waitFor()
  await card.getByText('Milliner owns it').waitFor()
  const picture = card.locator('img')
  await picture.waitFor()
  expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(90)
  await say(alice, 'Is this one for sale?')
  await bubble(alice, 'Is this one for sale?').waitFor()

  await card.getByRole('link', { name: 'Show the whole conversation' }).click()
  const chip = page.getByRole('log').getByRole('link', { name: 'About Red <b>hat</b>' })
  await chip.click()
  await card.waitFor()
  await card.getByRole('link', { name: /Red/ }).click()
  await page.getByRole('heading', { name: 'Red <b>hat</b>' }).waitFor()
  expect(alice.complaints).toEqual([])
})

test('a person is told that the other does not own the token, and that a contract owns it', async () => {
  await using alice = await openPerson(await service.listen())
  const { page } = alice
  const card = page.getByRole('complementary', { name: 'What this conversation is about' })
  const stranger = newWallet()
  await (await service.as(stranger)).setName({ body: { address: stranger, name: 'Mira' } })
  await arrive(alice, `/dm/${stranger}?nft=${contract}&token=7`)
  await card.getByText('Mira does not own this NFT').waitFor()
  await visit(alice, `/dm/${stranger}?nft=${contract}&token=8`)
  await card.getByText('A contract owns this NFT, for example a marketplace: not Mira').waitFor()
  // A contract that one talks to is its owner all the same.
  await visit(alice, `/dm/${contract}?nft=${contract}&token=8`)
  await card.getByText('owns it').waitFor()
  expect(alice.complaints).toEqual([])
})

test('where no chain is configured, the card has the contract and the id, and leads to their chat', async () => {
  await using alice = await openPerson(await plain.listen(), {
    viewport: { width: 360, height: 640 },
  })
  const { page } = alice
  await keepSession(alice)
  await page.goto(`/dm/${owner}?nft=${punks}&token=721`)
  const card = page.getByRole('complementary', { name: 'What this conversation is about' })
  await card.getByText('0xb47e…3bbb #721').waitFor()
  await card.getByText(punks, { exact: true }).waitFor()
  await card.getByRole('link', { name: 'Chat of this collection' }).click()
  await page.getByRole('heading', { name: '0xb47e…3bbb' }).waitFor()
  expect(alice.complaints).toEqual([])
})

test('a conversation about several NFTs opens at its end, whenever their cards come', async () => {
  await using alice = await openPerson(await service.listen(), {
    viewport: { width: 360, height: 640 },
  })
  const { page } = alice
  const from = await service.as(owner)
  await acquaint(service, owner, alice)
  for (let n = 1; n <= 12; n++)
    await from.sendDirectMessage({
      body: { fromaddr: owner, toaddr: alice.address, message: `hat ${n}`, nftaddr: contract, nftid: '7' },
    })
  await keepSession(alice)
  await (
    await service.as(alice.address)
  ).markReadTo({
    addr: owner,
    body: { id: Number.MAX_SAFE_INTEGER, context_type: 'dm' },
  })
  // Their names come late.
  const letGo = Promise.withResolvers<void>()
  await page.route('**/v1/nft/**', async (route) => {
    await letGo.promise
    await route.continue()
  })
  await page.goto(`/dm/${owner}`)
  const log = page.getByRole('log')
  await bubble(alice, 'hat 12').waitFor()
  letGo.resolve()
  await log.getByRole('link', { name: 'About Red <b>hat</b>' }).last().waitFor()
  await eventually(
    () => log.evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight),
    (pixels) => expect(pixels).toBeLessThan(40),
  )
  expect(await bubble(alice, 'hat 12').isVisible()).toBe(true)
})
