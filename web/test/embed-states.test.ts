// What the frame shows where something is in the way: encryption, a lost connection, a policy, a browser that stores nothing.

import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { newName, newWallet } from '../../testing/service/service.ts'
import { faults } from './axe.ts'
import { launchBlocking } from './browser.ts'
import { frameOf, openPanel, signInToFrame, useHost, write } from './host-page.ts'
import { acquaint, arrive, eventually, openPerson } from './person.ts'

const host = useHost()
const key = { public_key: 'x25519:AAAA', signature: '0xabcd', backup: '{"v":1}' }
const encrypted = 'This conversation is encrypted: open it in Parley.'

test.concurrent('where both publish a key, there is a link and no field, also when the second comes later', async ({
  expect,
}) => {
  const seller = newWallet()
  await using visitor = await host.open({ body: `<parley-chat to="${seller}"></parley-chat>` })
  await acquaint(host.service, visitor, seller)
  const asVisitor = await host.service.as(visitor.address)
  await asVisitor.publishKey({ address: visitor.address, body: { address: visitor.address, ...key } })
  const frame = await signInToFrame(visitor)
  await write(frame, 'in the clear')
  await frame.getByRole('article').locator('time').waitFor()
  const asSeller = await host.service.as(seller)
  await asSeller.publishKey({ address: seller, body: { address: seller, ...key } })
  await write(frame, 'must not leave')
  await frame.getByText(encrypted).waitFor()
  expect(await frame.getByRole('textbox').count()).toBe(0)
  expect(await frame.getByRole('link', { name: 'Open in Parley' }).getAttribute('href')).toBe(`/dm/${seller}`)
  const items = await asSeller.listConversation({ fromaddr: seller, toaddr: visitor.address })
  expect(items.map(({ message }) => message)).toEqual(['in the clear'])
  expect(await faults(frame as unknown as Page)).toEqual([])
})

test.concurrent('a conversation with an encrypted message is not continued in the clear, whatever it is about', async ({
  expect,
}) => {
  const [seller, contract] = [newWallet(), newWallet()]
  await using visitor = await host.open({
    body: `<parley-chat to="${seller}" nft="${contract}:1"></parley-chat>`,
  })
  const asSeller = await host.service.as(seller)
  await asSeller.sendDirectMessage({
    body: {
      fromaddr: seller,
      toaddr: visitor.address,
      message: 'c2VhbGVk',
      encrypted_sym_x_key: 'abc',
      x_access_conditions: '{}',
    },
  })
  const frame = await signInToFrame(visitor)
  await frame.getByText(encrypted).waitFor()
  expect(await frame.getByRole('textbox').count()).toBe(0)
  expect(await frame.getByText('c2VhbGVk').count()).toBe(0)
})

test.concurrent('what could not be sent stays, and is sent once by "Try again"', async ({ expect }) => {
  const seller = newWallet()
  await using visitor = await host.open({ body: `<parley-chat to="${seller}"></parley-chat>` })
  await acquaint(host.service, visitor, seller)
  const frame = await signInToFrame(visitor)
  await visitor.page.route('**/v1/create_chatitem', (route) => route.abort())
  await write(frame, 'still there?')
  await frame.getByText('Not sent. The service can’t be reached.').waitFor()
  await visitor.page.unroute('**/v1/create_chatitem')
  await frame.getByRole('button', { name: 'Try again' }).click()
  await frame.getByRole('article').locator('time').waitFor()
  const asSeller = await host.service.as(seller)
  const listed = async () => {
    const items = await asSeller.listConversation({ fromaddr: seller, toaddr: visitor.address })
    return items.map(({ message }) => message)
  }
  expect(await listed()).toEqual(['still there?'])
  // What is sent again is no way around encryption that both have by now.
  await visitor.page.route('**/v1/create_chatitem', (route) => route.abort())
  await write(frame, 'must not leave')
  await frame.getByText('Not sent.').waitFor()
  await visitor.page.unroute('**/v1/create_chatitem')
  for (const address of [seller, visitor.address])
    await (await host.service.as(address)).publishKey({ address, body: { address, ...key } })
  await frame.getByRole('button', { name: 'Try again' }).click()
  await frame.getByText(encrypted).waitFor()
  expect(await listed()).toEqual(['still there?'])
  await visitor.context.setOffline(true)
  await frame.getByText('You’re offline.').waitFor()
})

test.concurrent('a wallet that refuses signs nobody in, and a second try works', async ({ expect }) => {
  await using visitor = await host.open({ body: `<parley-chat to="${newWallet()}"></parley-chat>` })
  await visitor.page.evaluate(() => {
    const element = document.querySelector('parley-chat') as unknown as Record<string, unknown>
    let tries = 0
    Object.assign(element, {
      address: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
      signMessage: () => {
        tries += 1
        throw new Error(`No, try ${tries}.`)
      },
    })
  })
  const frame = await openPanel(visitor)
  // The site has connected a wallet already, and gives that one.
  const button = frame.getByRole('button', { name: /^Sign in with 0xd8dA/ })
  await button.click()
  await frame.getByRole('alert').getByText('No, try 1.').waitFor()
  await button.click()
  await frame.getByRole('alert').getByText('No, try 2.').waitFor()
  expect(visitor.signed).toEqual([])
  expect(await frame.getByRole('textbox').count()).toBe(0)
})

test.concurrent('a site without headers, a browser that stores nothing, and no cookie: all works until a reload', async ({
  expect,
}) => {
  const seller = newWallet()
  await using visitor = await host.open({
    body: `<parley-chat to="${seller}" badge></parley-chat>`,
    storageless: true,
  })
  await acquaint(host.service, visitor, seller)
  const frame = await signInToFrame(visitor)
  await write(frame, 'hello')
  await frame.getByRole('article').locator('time').waitFor()
  expect(await visitor.context.cookies()).toEqual([])
  await visitor.page.reload()
  const again = await openPanel(visitor)
  await again.getByRole('button', { name: 'Sign in with Test Wallet' }).waitFor()
  expect(host.complaintsOf(visitor)).toEqual([])
})

test.concurrent('Chromium that blocks cookies of other sites and keeps their storage apart: all works, also after a reload', async ({
  expect,
}) => {
  await using browser = await launchBlocking()
  const [seller, other] = [newWallet(), newWallet()]
  const body = `<parley-chat id="a" to="${seller}" badge></parley-chat><parley-chat id="b" to="${other}"></parley-chat>`
  await using visitor = await host.open({ body, browser })
  const { page } = visitor
  await acquaint(host.service, visitor, seller, other)
  const shop = page.url()
  await page.goto(`${host.url}/embed/dm/${seller}`)
  await page.evaluate(() => localStorage.setItem('of the service', 'itself'))
  await page.goto(shop)
  const frame = await signInToFrame(visitor, '#a', `dm/${seller}`)
  // The setting is on: the frame has neither what the service has stored on its own page, nor its cookies.
  const has = () => frame.evaluate(async () => [localStorage.length, await document.hasStorageAccess()])
  expect(await has()).toEqual([0, false])
  await write(frame, 'hello')
  await frame.getByRole('article').locator('time').waitFor()
  await page.reload()
  const again = await openPanel(visitor, '#a', `dm/${seller}`)
  await again.getByText('hello').waitFor()
  expect(visitor.signed).toHaveLength(1)
  await again.getByRole('textbox').press('Escape')
  const second = await signInToFrame(visitor, '#b', `dm/${other}`)
  await second.getByRole('button', { name: 'Sign out' }).click()
  await again.getByText('Sign in with Test Wallet').waitFor({ state: 'attached' })
  expect(await visitor.context.cookies()).toEqual([])
})

test.concurrent('a site with a strict policy needs the two lines of the documents', async ({ expect }) => {
  const seller = newWallet()
  const policy = `default-src 'none'; script-src 'self' ${host.url}; frame-src ${host.url}; require-trusted-types-for 'script'; base-uri 'none'; form-action 'none'`
  await using visitor = await host.open({ body: `<parley-chat to="${seller}"></parley-chat>`, policy })
  await acquaint(host.service, visitor, seller)
  const frame = await signInToFrame(visitor)
  await write(frame, 'hello')
  await frame.getByRole('article').locator('time').waitFor()
  // The button has its colour, though the site allows no styles.
  const box = (await visitor.page.locator('parley-chat').boundingBox())!
  expect(box.height).toBeGreaterThanOrEqual(44)
  expect(host.complaintsOf(visitor)).toEqual([])
})

test.concurrent('the site chooses theme, accent and direction; a phone shows the panel on all of its screen', async ({
  expect,
}) => {
  await using visitor = await host.open({
    body: `<div dir="rtl" style="--parley-accent: rgb(120, 0, 90); --parley-on-accent: white"><parley-chat to="${newWallet()}" theme="dark" float></parley-chat></div>`,
  })
  const { page } = visitor
  await page.setViewportSize({ width: 390, height: 700 })
  const frame = await openPanel(visitor)
  await frame.getByRole('button', { name: 'Sign in with Test Wallet' }).waitFor()
  const looks = await frame.evaluate(() => {
    const style = getComputedStyle(document.documentElement)
    return [
      style.direction,
      style.colorScheme,
      style.getPropertyValue('--color-accent'),
      innerWidth,
      innerHeight,
    ]
  })
  expect(looks).toEqual(['rtl', 'dark', 'rgb(120, 0, 90)', 390, 700])
  // What covers all of the screen has its own way back.
  await page.mouse.click(28, 28)
  await eventually(
    () => page.evaluate(() => document.elementFromPoint(195, 350)?.localName),
    (name) => expect(name).not.toBe('parley-chat'),
  )
})

test.concurrent('a chat is read and written, and shows what others post', async ({ expect }) => {
  const [town, other] = [newName('town'), newWallet()]
  const asOther = await host.service.as(other)
  await asOther.createCommunity({ body: { community: town } })
  const post = (message: string) =>
    asOther.postGroupMessage({ body: { nftaddr: town, fromaddr: other, message } })
  await post('Welcome.')
  await using visitor = await host.open({ body: `<parley-chat chat="${town}"></parley-chat>` })
  const asVisitor = await host.service.as(visitor.address)
  await asVisitor.joinChat({ body: { walletaddr: visitor.address, nftaddr: town } })
  const frame = await signInToFrame(visitor)
  await frame.getByText('Welcome.').waitFor()
  await frame.getByText('everyone who may read this chat').waitFor()
  expect(visitor.signed[0]).toMatch(`read the chat ${town}, join it and post in it as you.`)
  await write(frame, 'gm')
  await frame.getByRole('article').filter({ hasText: 'gm' }).locator('time').waitFor()
  await post('gm to you')
  await frame.getByText('gm to you').waitFor()
  const items = await asOther.listGroupMessages({ address: town, useraddress: other })
  expect(items.map(({ message }) => message)).toEqual(['Welcome.', 'gm', 'gm to you'])
})

test.concurrent('a chat that the visitor has not joined shows what is new within 20 seconds', async () => {
  const [town, other] = [newName('town'), newWallet()]
  const asOther = await host.service.as(other)
  await asOther.createCommunity({ body: { community: town } })
  await using visitor = await host.open({ body: '' })
  await visitor.page.clock.install()
  await host.open({ body: `<parley-chat chat="${town}"></parley-chat>`, as: visitor })
  const frame = await signInToFrame(visitor)
  await frame.getByText('Nothing is written here yet.').waitFor()
  await asOther.postGroupMessage({ body: { nftaddr: town, fromaddr: other, message: 'Anyone?' } })
  await visitor.page.clock.fastForward(21_000)
  await frame.getByText('Anyone?').waitFor()
})

test.concurrent('comments on a token are read and written', async ({ expect }) => {
  const [contract, other] = [newWallet(), newWallet()]
  const asOther = await host.service.as(other)
  await asOther.createComment({
    body: { fromaddr: other, nftaddr: contract, nftid: 721, message: 'What a hat.' },
  })
  await using visitor = await host.open({ body: `<parley-chat comments="${contract}:721"></parley-chat>` })
  const frame = await signInToFrame(visitor)
  await frame.getByText('What a hat.').waitFor()
  await write(frame, 'I want it.')
  await frame.getByRole('article').filter({ hasText: 'I want it.' }).locator('time').waitFor()
  const comments = await asOther.listComments({ nftaddr: contract, nftid: '721' })
  expect(comments.map(({ fromaddr }) => fromaddr)).toEqual([other, visitor.address])
  expect(await faults(frame as unknown as Page)).toEqual([])
})

test.concurrent('a token alone finds its owner, and says where a contract owns it', async ({ expect }) => {
  const [owner, contract] = [newWallet(), newWallet()]
  await using visitor = await host.open({ body: `<parley-chat nft="1:${contract}:7"></parley-chat>` })
  await acquaint(host.service, visitor, owner)
  let isContract = false
  await visitor.page.route(`**/v1/nft_owner/${contract}/7?chain=1`, (route) =>
    route.fulfill({ json: [{ owner, is_contract: isContract, accepts: 'everyone' }] }),
  )
  const frame = await signInToFrame(visitor)
  expect(visitor.signed[0]).toMatch(`read your messages with ${owner} and write to them as you;`)
  await write(frame, 'Is it for sale?')
  await frame.getByRole('article').locator('time').waitFor()
  const asOwner = await host.service.as(owner)
  const [item] = await asOwner.listConversation({ fromaddr: owner, toaddr: visitor.address })
  expect(item).toMatchObject({ message: 'Is it for sale?', nftaddr: contract, nftid: '7' })
  isContract = true
  await visitor.page.reload()
  const again = await openPanel(visitor)
  await again.getByText('A contract owns this token').waitFor()
  expect(await again.getByRole('textbox').count()).toBe(0)
  expect(await again.getByRole('link').getAttribute('href')).toBe(`/nft/${contract}/7`)
})

test.concurrent('a frame of its own, and one of nothing, say so', async ({ expect }) => {
  await using visitor = await host.open({ body: `<iframe src="${host.url}/embed/inbox/x"></iframe>` })
  const frame = await frameOf(visitor)
  await frame.getByText('The address names nothing.').waitFor()
  await visitor.page.goto(`${host.url}/embed/dm/0xabc`)
  await visitor.page.getByText('This page is for other sites').waitFor()
  expect(await visitor.page.getByRole('link', { name: 'Open Parley' }).getAttribute('href')).toBe('/dm/0xabc')
})

test.concurrent('a browser that keeps the client for later never shows it in place of the frame', async ({
  expect,
}) => {
  await using alice = await openPerson(host.url, { serviceWorkers: 'allow' })
  const { page } = alice
  await arrive(alice)
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
    if (!navigator.serviceWorker.controller)
      await new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve))
  })
  await alice.context.setOffline(true)
  await page.goto('/settings')
  await page.getByRole('heading', { name: 'Settings' }).first().waitFor()
  await expect(page.goto('/embed/dm/0xabc')).rejects.toThrow('ERR_INTERNET_DISCONNECTED')
})
