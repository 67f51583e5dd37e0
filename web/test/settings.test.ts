import { afterAll, expect, test } from 'vitest'
import { startSmtp } from '../../testing/outside/smtp.ts'
import { openPerson, type Person, arrive, turnTo, visit } from './person.ts'
import { useSite } from './site.ts'
import { usePerson } from './talking.ts'

let smtp: Awaited<ReturnType<typeof startSmtp>>
const site = useSite(async () => {
  smtp = await startSmtp()
  return { smtpUrl: smtp.url }
})
afterAll(() => smtp?.[Symbol.asyncDispose]())
const signedIn = usePerson(site)

/** Chooses a red picture of this size. */
async function choosePicture({ page }: Person, width = 64): Promise<string> {
  const drawn = await page.evaluate((side) => {
    const canvas = Object.assign(document.createElement('canvas'), { width: side, height: side })
    const context = canvas.getContext('2d')!
    context.fillStyle = 'rgb(200, 40, 40)'
    context.fillRect(0, 0, side, side)
    return canvas.toDataURL('image/png').split(',')[1]!
  }, width)
  const buffer = Buffer.from(drawn, 'base64')
  await page.getByLabel('Picture file').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer })
  return drawn
}

test.concurrent('an address is entered, confirmed by the mailed link, and both mails are switched on', async () => {
  await using alice = await openPerson(site.url)
  const { page } = alice
  await arrive(alice, '/settings/notifications')
  await page.getByLabel('E-mail address').fill('alice@example.org')
  await page.getByRole('button', { name: 'Save' }).last().click()
  await page.getByText('Not confirmed yet.').waitFor()

  await site.service.runJobs()
  const { mail } = smtp.inbox.findLast(({ recipients }) => recipients.includes('alice@example.org'))!
  const [link] = /https?:\S+\/v1\/verify_email\/\S+/.exec(mail.text!)!
  // In the test, the service's public address is not where it listens.
  const opened = await alice.context.newPage()
  await opened.goto(new URL(link).pathname)
  await opened.getByRole('button', { name: 'Confirm' }).click()
  await opened.getByText('is confirmed').waitFor()
  await opened.close()

  await page.reload()
  await page.getByText('Confirmed', { exact: true }).waitFor()
  await page.getByRole('switch', { name: 'A mail for direct messages' }).click()
  await page.getByRole('switch', { name: 'A mail for direct messages', checked: true }).waitFor()
  await page.getByRole('switch', { name: 'A daily summary' }).click()
  await page.getByRole('switch', { name: 'A daily summary', checked: true }).waitFor()
  const [kept] = await (await site.service.as(alice.address)).getSettings({ address: alice.address })
  expect(kept).toMatchObject({
    email: 'alice@example.org',
    verified: 'true',
    notifydm: 'true',
    notify24: 'true',
    signupsite: site.url,
  })
})

test.concurrent('after an old sign-in the wallet signs again, and then the address is set', async () => {
  await using alice = await openPerson(site.url)
  const { page, address } = alice
  await arrive(alice, '/settings/notifications')
  await site.service.ctx.db.query(
    'update sessions set created_ms = created_ms - 3600000 where walletaddr = $1',
    [address],
  )
  await page.reload()
  await page.getByLabel('E-mail address').fill('old@example.org')
  await page.getByRole('button', { name: 'Save' }).last().click()
  await page.getByText('You signed in more than an hour ago.').waitFor()
  const client = await site.service.as(address)
  expect(await client.getSettings({ address })).toEqual([])
  await page.getByRole('button', { name: 'Sign in again' }).click()
  await page.getByText('Not confirmed yet.').waitFor()
  expect(await client.getSettings({ address })).toMatchObject([{ email: 'old@example.org' }])
  expect(await client.listNotices()).toMatchObject([
    { action: 'mail_address_set', reason: 'old@example.org' },
  ])
})

test.concurrent('a name and a picture are set, the picture made small, and others see them', async () => {
  await using alice = await openPerson(site.url)
  await using bob = await openPerson(site.url)
  const { page } = alice
  await arrive(alice, '/settings')
  await page.getByRole('main').getByLabel('Name').fill('Alice')
  await page.getByRole('button', { name: 'Save' }).first().click()
  await page.getByText('Name saved').waitFor()

  const large = await choosePicture(alice, 1600)
  await page.locator('main img[src^="data:image/webp"]').waitFor()
  const [stored] = await (await site.service.as(bob.address)).getImage({ addr: alice.address })
  expect(Buffer.from(stored!.base64data, 'base64').length).toBeLessThan(10_000)

  // Others' browsers load what the service has drawn, whatever another client sent.
  const sent = { addr: alice.address, base64data: large }
  await (await site.service.as(alice.address)).createImage({ body: sent })
  const asked: string[] = []
  bob.page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await arrive(bob, `/dm/${alice.address}`)
  await bob.page.getByRole('heading', { name: 'Alice' }).waitFor()
  await bob.page.locator('main header img[src^="data:image/webp"]').waitFor()
  expect(asked).toContain(`/v1/picture/${alice.address}`)
  expect(asked.filter((path) => path.startsWith('/v1/image'))).toEqual([])
  // The name also finds her.
  await bob.page.goto('/')
  await bob.page.getByRole('button', { name: 'New conversation' }).first().click()
  await bob.page.getByLabel('Wallet address or name').fill('alice')
  await bob.page.getByLabel('Wallet address or name').press('Enter')
  await bob.page.getByRole('heading', { name: 'Alice' }).waitFor()
  expect([...alice.complaints, ...bob.complaints]).toEqual([])
})

test('a file that is no picture is refused with a reason', async () => {
  const alice = await signedIn()
  await visit(alice, '/settings')
  await alice.page.getByLabel('Picture file').setInputFiles({
    name: 'x.png',
    mimeType: 'image/png',
    buffer: Buffer.from('no picture'),
  })
  await alice.page.getByText('Can’t read this picture.').waitFor()
})

test.each([
  ['/settings', 'Name', 'Support', 'Save', /^This name says that it is of the team of/, 'Privacy & contacts'],
  ['/communities/new', 'Name', 'example.org/x', 'Create community', /^community must /, 'Links'],
] as const)('what is refused at %s is said in words: %s', async (path, label, text, button, shown, there) => {
  const alice = await signedIn()
  const { page } = alice
  // Both pages have a field with this label: the text would go into that of the page before.
  await turnTo(alice, path, there)
  await page.getByRole('main').getByLabel(label, { exact: true }).fill(text)
  await page.getByRole('main').getByRole('button', { name: button }).first().click()
  await page.getByText(shown).waitFor()
  expect(await page.getByText(/\/body/).count()).toBe(0)
})

test('a name and a picture are removed again', async () => {
  const alice = await signedIn()
  const { page } = alice
  await turnTo(alice, '/settings', 'Privacy & contacts')
  await page.getByRole('main').getByLabel('Name').fill('Alice for now')
  await page.getByRole('button', { name: 'Save' }).first().click()
  await page.getByText('Name saved').waitFor()
  await choosePicture(alice)
  const picture = page.locator('main img[src^="data:image/webp"]')
  await picture.waitFor()
  await page.getByRole('button', { name: 'Remove' }).click()
  await picture.waitFor({ state: 'detached' })
  await page.getByRole('main').getByLabel('Name').fill('')
  await page.getByRole('button', { name: 'Remove' }).click()
  await page.getByText('Name removed').waitFor()
  const client = await site.service.as(alice.address)
  expect(await client.getName({ name: alice.address })).toEqual([])
  expect(await client.getImage({ addr: alice.address })).toEqual([])
  expect(alice.complaints).toEqual([])
})

test.concurrent('the creator of a community sets its picture, nobody else is asked to', async () => {
  await using alice = await openPerson(site.url)
  await using bob = await openPerson(site.url)
  await (await site.service.as(alice.address)).createCommunity({ body: { community: 'Painters' } })
  await arrive(alice, '/c/painters')
  await choosePicture(alice)
  await alice.page.locator('main img[src^="data:image/webp"]').first().waitFor()
  const [kept] = await (await site.service.as(bob.address)).getPicture({ addr: 'painters' })
  expect(kept!.base64data).toMatch(/^data:image\/webp/)
  await arrive(bob, '/c/painters')
  await bob.page.getByRole('button', { name: 'Join' }).waitFor()
  expect(await bob.page.getByLabel('Picture file').count()).toBe(0)
})

test('the page of settings scrolls inside of the app, not the app', async () => {
  const alice = await signedIn()
  const { page } = alice
  await visit(alice, '/settings/appearance')
  await page.getByRole('heading', { name: 'Appearance' }).scrollIntoViewIfNeeded()
  await page.mouse.move(800, 400)
  await page.mouse.wheel(0, 5000)
  await page.getByRole('radio', { name: 'Dark' }).focus()
  const { heights, scrolled } = await page.evaluate(() => ({
    heights: [document.documentElement.scrollHeight, document.body.scrollHeight],
    scrolled: [document.scrollingElement!.scrollTop, scrollY, document.body.scrollTop],
  }))
  expect(heights).toEqual([800, 800])
  expect(scrolled).toEqual([0, 0, 0])
})
