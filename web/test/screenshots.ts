import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, test } from 'vitest'
import { type Chain, startChain } from '../../testing/chains/chain.ts'
import { addOperator } from '../../testing/people/moderators.ts'
import { type Service, startSite } from '../../testing/service/service.ts'
import { acquaint, encryptionIsOn, openPerson, type Person, say, signIn, turnOnEncryption } from './person.ts'
import { openPanel, useHost } from './host-page.ts'
import { fill, punks, spreadOut } from './places.ts'
import { mint, printOf, serveShop } from './shop-page.ts'

const folder = path.join(import.meta.dirname, '../../docs/screenshots')
const peers = ['alice', 'carol', 'print', 'bob'].map(
  (seed) => `0x${createHash('sha256').update(seed).digest('hex').slice(0, 40)}`,
)
const screens = {
  desktop: { width: 1200, height: 760 },
  phone: { width: 375, height: 740 },
}

/**
 * Takes a picture of the page in both themes and sizes, in few colours so that the files are small.
 * `open` opens it for each size. A conversation is shown at its end.
 */
async function shoot(page: Page, name: string, open = async () => {}): Promise<void> {
  for (const [screen, size] of Object.entries(screens)) {
    await page.setViewportSize(size)
    await open()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      // By then pictures and names are shown and receipts are sent.
      await page.waitForTimeout(700)
      await page.getByRole('log').evaluateAll((logs) => {
        for (const log of logs) log.scrollTop = log.scrollHeight
      })
      await page.waitForTimeout(100)
      await save(page, path.join(folder, `${name}-${screen}-${colorScheme}.png`))
    }
  }
}

async function save(page: Page, file: string): Promise<void> {
  const picture = await page.screenshot({ animations: 'disabled' })
  await writeFile(file, await sharp(picture).png({ palette: true, quality: 92, effort: 10 }).toBuffer())
}

/** More than the tests need: other communities, and a talk about a token. */
async function fillMore(service: Service, me: Person): Promise<void> {
  const [alice, ...others] = await Promise.all(peers.map((peer) => service.as(peer)))
  const names = ['print-club', 'rooftop-gardens', 'collectors-of-berlin']
  for (const [i, community] of names.entries()) {
    await others[i]!.createCommunity({
      body: { community, social: [{ type: 'website', name: 'example.org' }] },
    })
    for (const [j, client] of others.slice(i).entries())
      await client.joinChat({ body: { walletaddr: peers[1 + i + j]!, nftaddr: community } })
    await others[i]!.postCommunityMessage({
      body: { fromaddr: peers[1 + i]!, nftaddr: community, message: 'Welcome, everybody!' },
    })
  }
  const asMe = await service.as(me.address)
  const talk = [
    [me.address, 'Would you take two prints and the rest in ETH?'],
    [peers[0]!, 'Which prints?'],
    [me.address, 'Numbers 3 and 8 of the winter series, framed.'],
    [peers[0]!, 'Then yes. I bring the punk, you bring the frames.'],
  ] as const
  for (const [fromaddr, message] of talk)
    await (fromaddr === me.address ? asMe : alice!).sendDirectMessage({
      body: {
        fromaddr,
        toaddr: fromaddr === me.address ? peers[0]! : me.address,
        message,
        nftaddr: punks,
        nftid: '721',
      },
    })
}

/** Requests of wallets that the reader does not know: one of them looks like a friend. Answers that one. */
async function fillRequests(service: Service, me: Person): Promise<string> {
  const [nadia, lookAlike] = [
    `0x${createHash('sha256').update('nadia').digest('hex').slice(0, 40)}`,
    `${peers[0]!.slice(0, 6)}${createHash('sha256').update('eve').digest('hex').slice(0, 32)}${peers[0]!.slice(-4)}`,
  ]
  const asNadia = await service.as(nadia)
  await asNadia.setName({ body: { address: nadia, name: 'Nadia' } })
  await asNadia.joinChat({ body: { walletaddr: nadia, nftaddr: 'gallery' } })
  for (const [fromaddr, message] of [
    [nadia, 'I saw your post in the gallery. Would you sell the print?'],
    [lookAlike, 'This is my new wallet. Please send the deposit here: https://examp1e.org/deal'],
  ] as const)
    await (await service.as(fromaddr)).sendDirectMessage({ body: { fromaddr, toaddr: me.address, message } })
  return lookAlike
}

/** A community of the reader's own, with what its owner decides, and reports for operators. Answers one of those. */
async function fillModeration(service: Service, me: Person): Promise<number> {
  const asMe = await service.as(me.address)
  const nftaddr = 'night-market'
  await asMe.createCommunity({ body: { community: nftaddr } })
  for (const walletaddr of [me.address, ...peers])
    await (await service.as(walletaddr)).joinChat({ body: { walletaddr, nftaddr } })
  const [alice, carol, , bob] = peers as [string, string, string, string]
  await asMe.addModerator({ nftaddr, walletaddr: alice })
  await asMe.setChatRules({ nftaddr, body: { slow_seconds: 30, words: ['airdrop', 'giveaway'] } })
  for (const [fromaddr, message] of [
    [carol, 'The stalls open at eight.'],
    [bob, 'Is this giveaway yours? A friend got a link to it.'],
  ] as const)
    await (await service.as(fromaddr)).postGroupMessage({ body: { fromaddr, nftaddr, message } })
  const seller = `0x${createHash('sha256').update('seller').digest('hex').slice(0, 40)}`
  const asSeller = await service.as(seller)
  await asSeller.setName({ body: { address: seller, name: 'Quick Coins' } })
  const [spam] = await asSeller.sendDirectMessage({
    body: { fromaddr: seller, toaddr: carol, message: 'Send 0.1 ETH today and get 1 ETH back tomorrow.' },
  })
  const week = new Date(Date.now() + 604_800_000).toISOString()
  const reason = 'The same advertisement four times'
  await asMe.restrictMember({ nftaddr, walletaddr: seller, body: { muted_until: week, reason } })
  await addOperator(service, me.address)
  const [report] = await (
    await service.as(carol)
  ).createReport({ body: { item_ids: [spam!.id], reason: 'scam', text: 'It says that it is an exchange.' } })
  await (await service.as(bob)).createReport({ body: { peer: seller, reason: 'spam' } })
  await (await service.as(alice)).createReport({ body: { chat: 'print-club', reason: 'other' } })
  return report!.id
}

/** A conversation that both have encrypted. */
async function talkEncrypted(url: string, service: Service, me: Person): Promise<string> {
  await using dana = await openPerson(url, { key: `0x${'17'.repeat(32)}` })
  await (await service.as(dana.address)).setName({ body: { address: dana.address, name: 'Dana' } })
  await acquaint(service, dana, me)
  await signIn(dana)
  for (const person of [dana, me]) {
    await turnOnEncryption(person)
    await encryptionIsOn(person)
  }
  const talk: [Person, string][] = [
    [dana, 'The contract is ready. I would rather not send it by mail.'],
    [me, 'Then here. Nobody but us can read this.'],
    [dana, 'Two editions, signed, delivered in March. The deposit is 20 %.'],
    [me, 'Agreed. I send the deposit tonight.'],
  ]
  await dana.page.goto(`/dm/${me.address}`)
  await me.page.goto(`/dm/${dana.address}`)
  for (const [person, text] of talk) {
    await say(person, text)
    for (const { page } of [dana, me]) await page.getByRole('log').getByText(text, { exact: true }).waitFor()
  }
  return dana.address
}

test('pictures of the main pages', { timeout: 240_000 }, async () => {
  await mkdir(folder, { recursive: true })
  await using service = await startSite()
  const url = await service.listen()
  await using me = await openPerson(url, { key: `0x${'42'.repeat(32)}` })
  await me.page.goto('/')
  await me.page.getByRole('button', { name: 'Sign in with' }).waitFor()
  await shoot(me.page, 'sign-in')
  await signIn(me)
  await me.page.getByText('No conversations yet').waitFor()
  await shoot(me.page, 'welcome')
  await fill(service, me, peers)
  await fillMore(service, me)
  await spreadOut(service, me.address)
  const lookAlike = await fillRequests(service, me)
  const dana = await talkEncrypted(url, service, me)
  const report = await fillModeration(service, me)
  const pages = {
    inbox: ['/', 'Alice'],
    encrypted: [`/dm/${dana}`, 'deposit tonight'],
    nft: [`/dm/${peers[0]}?nft=${punks}&token=721`, 'you bring the frames'],
    conversation: [`/dm/${peers[0]}`, 'you bring the frames'],
    community: ['/c/gallery', 'projector'],
    members: ['/c/gallery/about', 'Members'],
    communities: ['/communities', 'print-club'],
    comments: [`/nft/${punks}/721`, 'What a hat.'],
    requests: ['/requests', 'Ignore all'],
    request: [`/dm/${lookAlike}`, 'Ignore'],
    moderation: ['/c/night-market/moderation', 'Waiting for approval'],
    operator: ['/operator', 'most credible'],
    report: [`/operator/reports/${report}`, 'Other reports'],
    status: ['/status', 'Refused by limits'],
    settings: ['/settings/encryption', 'Encrypt direct messages'],
    share: ['/share?text=The%20stalls%20open%20at%20eight.', 'Share with'],
  } as const
  for (const [name, [address, text]] of Object.entries(pages))
    await shoot(me.page, name, async () => {
      await me.page.goto(address)
      await me.page.getByText(text).filter({ visible: true }).first().waitFor()
    })
  for (const [name, address, text] of [
    ['guide', '/docs/start', 'Begin here'],
    ['errors', '/docs/errors', 'rate_limited'],
  ] as const)
    await shoot(me.page, name, async () => {
      await me.page.goto(address)
      await me.page.getByText(text).filter({ visible: true }).first().waitFor()
    })
  await me.page.goto('/docs/index.html')
  const throwAway = me.page.getByRole('button', { name: 'Try without a wallet' })
  await throwAway.and(me.page.locator(':enabled')).waitFor()
  await shoot(me.page, 'docs')
})

let chain: Chain
const host = useHost(async () => ({ rpcUrls: { [(chain = await startChain()).chainId]: chain.url } }))
afterAll(() => chain[Symbol.asyncDispose]())

test('pictures of a shop, and of the owner who answers', { timeout: 120_000 }, async () => {
  const [owner, other] = peers as [string, string]
  await using buyer = await openPerson(host.origin, {
    wallet: { announced: false },
    viewport: { width: 1000, height: 720 },
  })
  const { page } = buyer
  await page.goto(serveShop(host, await mint(chain, [owner, owner, other]), buyer))
  const button = printOf(buyer, 'The Last Ferry').locator('parley-chat')
  await button.waitFor()
  await printOf(buyer, 'Paper Moon').locator('parley-chat').waitFor()
  await save(page, path.join(folder, '../pictures/shop.png'))
  const frame = await openPanel(buyer, 'article:first-of-type parley-chat')
  const signInButton = frame.getByRole('button', { name: 'Sign in with Test Wallet' })
  await signInButton.waitFor()
  await save(page, path.join(folder, '../pictures/shop-sign-in.png'))
  await signInButton.click()
  const ask = async (text: string) => {
    await frame.getByRole('textbox').fill(text)
    await frame.getByRole('button', { name: 'Send' }).click()
    await frame.getByRole('article').filter({ hasText: text }).locator('time').waitFor()
  }
  await ask('Does the frame come with it?')
  const asOwner = await host.service.as(owner)
  await asOwner.sendDirectMessage({
    body: { fromaddr: owner, toaddr: buyer.address, message: 'It does, and the glass too.' },
  })
  await frame.getByText('It does, and the glass too.').waitFor()
  await ask('Then I take it tonight.')
  await save(page, path.join(folder, '../pictures/shop-answer.png'))
})
