// A finger that draws a message to the side replies to it.

import { test } from 'vitest'
import { acquaint, arrive, bubble, eventually, openPerson, type Person, visit } from './person.ts'
import { useSite } from './site.ts'
import { newWallet } from '../../testing/service/service.ts'

const site = useSite()
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

/** A person on a phone, who reads `count` messages of another one. */
async function reading(count: number) {
  const alice = await openPerson(site.url, phone)
  const peer = newWallet()
  await acquaint(site.service, alice, peer)
  const asPeer = await site.service.as(peer)
  for (let n = 1; n <= count; n++)
    await asPeer.sendDirectMessage({
      body: { fromaddr: peer, toaddr: alice.address, message: `message ${n}` },
    })
  await arrive(alice)
  await visit(alice, `/dm/${peer}`)
  await bubble(alice, 'message 1').waitFor()
  const devtools = await alice.context.newCDPSession(alice.page)
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: { x: number; y: number }[]) =>
    devtools.send('Input.dispatchTouchEvent', { type, touchPoints })
  /** Moves a finger from a point by these pixels, in steps as a screen reports them. */
  const draw = async (from: { x: number; y: number }, by: { x?: number; y?: number }) => {
    const at = (part: number) => ({ x: from.x + (by.x ?? 0) * part, y: from.y + (by.y ?? 0) * part })
    const sent = [send('touchStart', from)]
    for (let step = 1; step <= 10; step++) sent.push(send('touchMove', at(step / 10)))
    await Promise.all([...sent, send('touchEnd')])
  }
  const middle = async (text: string) => {
    const { x, y, width, height } = (await bubble(alice, text).boundingBox())!
    return { x: x + width / 2, y: y + height / 2 }
  }
  return { alice, draw, middle }
}

const replying = ({ page }: Person) => page.getByText('Replying to')

test.concurrent('drawn far enough to the left it replies; less, to the right or from the edge it does nothing', async ({
  expect,
}) => {
  const { alice, draw, middle } = await reading(2)
  await using _ = alice
  const { page } = alice
  const from = await middle('message 2')
  await draw({ ...from, x: 200 }, { x: -80 })
  await draw({ ...from, x: 200 }, { x: 150 })
  await draw({ ...from, x: 385 }, { x: -200 })
  await draw({ ...from, x: 200 }, { x: -100, y: -120 })
  await page.waitForTimeout(400)
  expect(await replying(alice).count()).toBe(0)
  // It stands where it stood.
  await eventually(
    () => middle('message 2'),
    (point) => expect(point).toEqual(from),
  )
  await draw({ ...from, x: 200 }, { x: -110 })
  await replying(alice).waitFor()
  await page.getByRole('status').filter({ hasText: 'Replying to' }).getByText('message 2').waitFor()
  expect(await page.getByRole('menu').count()).toBe(0)
  expect(alice.complaints).toEqual([])
})

test.concurrent('where lines run from right to left it is drawn to the right', async ({ expect }) => {
  const { alice, draw, middle } = await reading(1)
  await using _ = alice
  await alice.page.evaluate(() => (document.documentElement.dir = 'rtl'))
  const from = { ...(await middle('message 1')), x: 150 }
  await draw(from, { x: -120 })
  await alice.page.waitForTimeout(300)
  expect(await replying(alice).count()).toBe(0)
  await draw(from, { x: 120 })
  await replying(alice).waitFor()
})

test.concurrent('a finger on a message still scrolls the list', async ({ expect }) => {
  const { alice, draw } = await reading(40)
  await using _ = alice
  const top = () => alice.page.getByRole('log').evaluate((log) => log.scrollTop)
  // It opens at the first message, which is new.
  await alice.page.waitForTimeout(500)
  const before = await top()
  await draw({ x: 80, y: 600 }, { x: -10, y: -250 })
  await eventually(top, (now) => expect(now).toBeGreaterThan(before + 100))
  expect(await replying(alice).count()).toBe(0)
})
