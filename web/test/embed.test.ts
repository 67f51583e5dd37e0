// A conversation on the page of another site: a static page, a wallet in it, and one element.

import { readFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { newName, newWallet } from '../../testing/service/service.ts'
import { faults } from './axe.ts'
import { frameOf, openPanel, signInToFrame, useHost, write } from './host-page.ts'
import { acquaint, eventually } from './person.ts'

const host = useHost()

test.concurrent('nothing is loaded before the click, and the frame is small', async ({ expect }) => {
  const seller = newWallet()
  const asked: string[] = []
  await using visitor = await host.open({ body: '' })
  visitor.page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  const globals = () => visitor.page.evaluate(() => Object.getOwnPropertyNames(globalThis).length)
  await visitor.page.goto(host.origin + host.add('<!doctype html><title>Shop</title>'))
  const before = await globals()
  asked.length = 0
  await visitor.page.goto(
    host.origin +
      host.add(
        `<!doctype html><title>Shop</title><script src="${host.url}/embed.js"></script><parley-chat to="${seller}" badge></parley-chat>`,
      ),
  )
  await visitor.page.waitForLoadState('networkidle')
  expect(asked.filter((one) => !/^\/\d+$/.test(one))).toEqual(['/embed.js'])
  expect(await globals()).toBe(before)
  expect(await visitor.page.evaluate(() => document.querySelector('parley-chat')!.shadowRoot)).toBeNull()
  const frame = await openPanel(visitor)
  await frame.getByRole('heading', { name: /^Message 0x/ }).waitFor()
  const loaded = await frame.evaluate(() =>
    ['navigation', 'resource']
      .flatMap((type) => performance.getEntriesByType(type) as PerformanceResourceTiming[])
      .map(({ transferSize }) => transferSize),
  )
  expect(loaded.length).toBeLessThanOrEqual(4)
  // It was 31 KB, and the script 2,970 bytes.
  expect(loaded.reduce((sum, size) => sum + size, 0)).toBeLessThan(60_000)
  const script = readFileSync(path.join(import.meta.dirname, '../dist/embed.js'))
  expect(brotliCompressSync(script).length).toBeLessThan(3000)
  expect(host.complaintsOf(visitor)).toEqual([])
})

test.concurrent('a visitor signs in with the wallet of the page, writes, and reads the answer', async ({
  expect,
}) => {
  const seller = newWallet()
  const contract = newWallet()
  await using visitor = await host.open({
    body: `<main><h1>Hat</h1><parley-chat to="${seller}" nft="1:${contract}:721" label="Ask the owner"></parley-chat></main>`,
  })
  await acquaint(host.service, visitor, seller)
  const asSeller = await host.service.as(seller)
  const name = newName('Hatter')
  await asSeller.setName({ body: { address: seller, name } })
  const frame = await openPanel(visitor)
  await frame.getByRole('button', { name: 'Sign in with Test Wallet' }).waitFor()
  expect(await faults(frame as unknown as Page)).toEqual([])
  await frame.getByRole('button', { name: 'Sign in with Test Wallet' }).click()
  await frame.getByText('Not encrypted: 127.0.0.1').waitFor()
  await frame.getByRole('heading', { name: `Message ${name} (0x` }).waitFor()
  const [text] = visitor.signed
  const { host: shop } = new URL(host.origin)
  expect(text).toMatch(`${shop} wants you to sign in`)
  expect(text).toMatch(
    `Lets ${shop} use Parley as you for 24 hours, for this alone: read your messages with ${seller} and write to them as you; read what every wallet may read.`,
  )
  expect(text).toMatch(new RegExp(`Resources:\n- parley:scope:dm:${seller}\n- parley:scope:public:read$`))

  await write(frame, 'Is **it** <b>for sale</b>? https://example.org/hat')
  const said = frame.getByRole('article').filter({ hasText: 'for sale' })
  await said.locator('time').waitFor()
  expect(await said.locator('b').count()).toBe(0)
  expect(await said.getByRole('link').getAttribute('rel')).toBe('noopener noreferrer nofollow ugc')
  const pair = { fromaddr: visitor.address, toaddr: seller }
  const [item] = await asSeller.listConversation(pair)
  expect(item).toMatchObject({ nftaddr: contract, nftid: '721', fromaddr: visitor.address })
  await asSeller.sendDirectMessage({
    body: {
      fromaddr: seller,
      toaddr: visitor.address,
      message: 'It is yours.',
      nftaddr: contract,
      nftid: '721',
    },
  })
  await frame.getByText('It is yours.').waitFor()
  // It is read because the visitor sees it.
  await eventually(
    () => asSeller.listConversation(pair),
    (items) => expect(items.at(-1)).toMatchObject({ message: 'It is yours.', read: true }),
  )
  expect(await faults(frame as unknown as Page)).toEqual([])

  // A reload asks for no second signature, and signing out forgets.
  await visitor.page.reload()
  const again = await openPanel(visitor)
  await again.getByText('It is yours.').waitFor()
  expect(visitor.signed).toHaveLength(1)
  // The visitor signs in again so soon that other frames are only now notified of the sign-out.
  await again.evaluate(async () => {
    const press = (label: string) =>
      [...document.querySelectorAll('button')].find(({ textContent }) => textContent.includes(label))?.click()
    press('Sign out')
    for (let n = 0; n < 20; n++) await Promise.resolve()
    press('Sign in with')
  })
  await again.getByRole('button', { name: 'Sign out' }).click()
  await again.getByText('It is yours.').waitFor({ state: 'detached' })
  expect(visitor.signed).toHaveLength(2)
  expect(host.complaintsOf(visitor)).toEqual([])
})

test.concurrent('the sign stands beside a wallet of the team alone, and a name that claims it is said to be false', async ({
  expect,
}) => {
  const [seller, owner] = [newWallet(), newWallet()]
  await using visitor = await host.open({ body: `<parley-chat to="${seller}"></parley-chat>` })
  await acquaint(host.service, visitor, seller)
  const { db, officials } = host.service.ctx
  const setOfficial = async (address: string) => {
    await db.query(
      `insert into officials (address, label, named_by, since_ms) values ($1, 'Help', 'a test', 1)`,
      [address],
    )
    await officials.refresh()
  }
  await setOfficial(seller)
  await (
    await host.service.as(seller)
  ).setName({ body: { address: seller, name: newName('Seller Support') } })
  const frame = await openPanel(visitor)
  const sign = frame
    .getByRole('heading')
    .locator('..')
    .getByRole('img', { name: 'Official: Help of 127.0.0.1' })
  await sign.waitFor()
  await frame.getByRole('button', { name: 'Sign in with Test Wallet' }).click()
  await frame.getByRole('heading', { name: /^Message Seller Support/ }).waitFor()
  await sign.waitFor()
  expect(await frame.getByText('Not official').count()).toBe(0)

  // It follows the wallet, not the name.
  await db.query('delete from officials where address = $1', [seller])
  await setOfficial(owner)
  await visitor.page.reload()
  const again = await openPanel(visitor)
  await again.getByText('Not official').waitFor()
  expect(await again.getByRole('img', { name: /^Official/ }).count()).toBe(0)
  expect(await faults(again as unknown as Page)).toEqual([])
})

test.concurrent('the badge counts what waits for a visitor who has signed in in this tab', async ({
  expect,
}) => {
  const seller = newWallet()
  await using visitor = await host.open({
    body: `<parley-chat to="${seller}" badge label="Ask"></parley-chat>`,
  })
  await acquaint(host.service, visitor, seller)
  const frame = await signInToFrame(visitor)
  await frame.getByRole('textbox').press('Escape')
  const width = async () => (await visitor.page.locator('parley-chat').boundingBox())!.width
  const narrow = await width()
  const asSeller = await host.service.as(seller)
  const message = (text: string) =>
    asSeller.sendDirectMessage({ body: { fromaddr: seller, toaddr: visitor.address, message: text } })
  await message('one')
  await eventually(width, (wide) => expect(wide).toBeGreaterThan(narrow + 10))
  // After a reload it counts without a click.
  await visitor.page.reload()
  await eventually(width, (wide) => expect(wide).toBeGreaterThan(narrow + 10))
  await openPanel(visitor)
  await (await frameOf(visitor)).getByText('one', { exact: true }).waitFor()
  await eventually(width, (now) => expect(now).toBe(narrow))
  expect(visitor.signed).toHaveLength(1)
})

test.concurrent('a person goes by keyboard from the button into the frame and back', async ({ expect }) => {
  await using visitor = await host.open({
    body: `<a href="#x">before</a><parley-chat to="${newWallet()}"></parley-chat>`,
  })
  const { page } = visitor
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  const frame = await frameOf(visitor)
  await eventually(
    () => frame.evaluate(() => document.hasFocus()),
    (has) => expect(has).toBe(true),
  )
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await frame.getByRole('textbox', { name: 'Message' }).waitFor()
  const below = () => page.evaluate(() => document.elementFromPoint(1000, 600)?.localName)
  expect(await below()).toBe('parley-chat')
  await page.keyboard.press('Escape')
  await eventually(below, (name) => expect(name).not.toBe('parley-chat'))
  expect(await page.evaluate(() => document.activeElement?.localName)).toBe('parley-chat')
})
