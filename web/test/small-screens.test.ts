import { expect, test } from 'vitest'
import { newWallet } from '../../testing/service/service.ts'
import {
  acquaint,
  arrive,
  encryptionIsOn,
  eventually,
  openPerson,
  turnOnEncryption,
  visit,
} from './person.ts'
import { useSite } from './site.ts'

const site = useSite()

test.concurrent.each([
  [640, 400],
  [320, 568],
  [360, 640],
] as const)(
  'at %i × %i a request shows its message, the whole address and four decisions in one row',
  async (width, height) => {
    await using alice = await openPerson(site.url, { viewport: { width, height } })
    const { page } = alice
    const bob = newWallet()
    const asBob = await site.service.as(bob)
    for (const message of ['Look at https://example.org', 'hello from bob'])
      await asBob.sendDirectMessage({ body: { fromaddr: bob, toaddr: alice.address, message } })
    await arrive(alice)
    await visit(alice, `/dm/${bob}`)
    const card = page.getByRole('region', { name: /^About / })
    await page.getByRole('button', { name: 'Report and block' }).waitFor()
    await card.getByText('You don’t know').waitFor()
    const seen = () =>
      page.evaluate((address) => {
        const isSeen = (element: Element) => {
          const { left, top, right, bottom } = element.getBoundingClientRect()
          const isAt = (x: number, y: number) => {
            const hit = document.elementFromPoint(x, y)
            return hit !== null && (element.contains(hit) || hit.contains(element))
          }
          return left >= 0 && right <= innerWidth && isAt(left + 1, top + 1) && isAt(right - 2, bottom - 2)
        }
        const blocks = [...document.querySelectorAll('section .font-address > span')]
        const buttons = [...document.querySelectorAll('section[aria-label=Request] button')]
        const text = [...document.querySelectorAll('[role=log] [id$=-text] > div')].find(
          (one) => one.textContent === 'hello from bob',
        )
        return {
          address:
            blocks
              .filter(isSeen)
              .map((one) => one.textContent)
              .join('')
              .toLowerCase() === address,
          buttons: buttons.filter(isSeen).length,
          rows: new Set(buttons.map((one) => one.getBoundingClientRect().top)).size,
          low: buttons.filter((one) => one.getBoundingClientRect().height < 44).length,
          message: text !== undefined && isSeen(text),
        }
      }, bob)
    await eventually(seen, (value) =>
      expect(value).toEqual({ address: true, buttons: 4, rows: 1, low: 0, message: true }),
    )
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    expect(alice.complaints).toEqual([])
  },
)

test.concurrent('who has encryption on is told that the other one has not, and can ask them', async () => {
  await using alice = await openPerson(site.url)
  const { page } = alice
  const bob = newWallet()
  await (await site.service.as(bob)).setName({ body: { address: bob, name: 'Mira' } })
  await acquaint(site.service, alice, bob)
  await arrive(alice)
  await turnOnEncryption(alice)
  await encryptionIsOn(alice)
  await visit(alice, `/dm/${bob}`)
  await page.getByText('Not encrypted. Mira hasn’t turned it on.').waitFor()
  expect(await page.getByRole('main').getByRole('link', { name: 'Turn on encryption' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Ask Mira' }).click()
  const field = page.getByRole('textbox', { name: 'Message Mira' })
  await eventually(
    () => field.inputValue(),
    (value) => expect(value).toBe('Can you turn on encryption? Settings → Encryption.'),
  )
  expect(alice.complaints).toEqual([])
})

const small = { viewport: { width: 320, height: 568 }, hasTouch: true, isMobile: true } as const

test.concurrent('the way to the newest message covers no end of an own line, and reacts to a finger', async () => {
  await using alice = await openPerson(site.url, small)
  const { page } = alice
  const bob = newWallet()
  await acquaint(site.service, alice, bob)
  const client = await site.service.as(alice.address)
  for (let i = 0; i < 12; i++)
    await client.sendDirectMessage({
      body: {
        fromaddr: alice.address,
        toaddr: bob,
        message: `${i} is long enough for a line that ends at its edge`,
      },
    })
  await arrive(alice)
  await visit(alice, `/dm/${bob}`)
  const log = page.getByRole('log')
  await log.getByRole('img', { name: 'Sent' }).last().waitFor()
  const arrow = page.getByRole('button', { name: 'To the newest message' })
  await log.evaluate((element) => (element.scrollTop -= 400))
  await arrow.waitFor()
  const hit = (await arrow.boundingBox())!
  expect([hit.width, hit.height]).toEqual([44, 44])
  const [shown, lines] = await Promise.all([
    arrow.locator('span').first().boundingBox(),
    log.getByRole('article').locator('[id$=-text]').last().boundingBox(),
  ])
  expect(lines!.x + lines!.width - shown!.x).toBeLessThan(6)
  await arrow.tap()
  await arrow.waitFor({ state: 'detached' })
  expect(alice.complaints).toEqual([])
})

test.concurrent('a dialog that is higher than the screen opens at its top', async () => {
  await using alice = await openPerson(site.url, { ...small, viewport: { width: 320, height: 420 } })
  const { page } = alice
  await arrive(alice)
  await visit(alice, '/settings/data')
  await page.getByRole('button', { name: /^Erase/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Erase this wallet here?' })
  await dialog.getByText('Deleted now, for good').waitFor()
  const { top, isHigher } = await dialog.evaluate((element) => ({
    top: element.scrollTop,
    isHigher: element.scrollHeight > element.clientHeight,
  }))
  expect([top, isHigher]).toEqual([0, true])
  expect(alice.complaints).toEqual([])
})
