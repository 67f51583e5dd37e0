// A conversation of 5,000 messages: what scrolling, typing, 2,000 live messages and doing nothing cost.

import { setTimeout as sleep } from 'node:timers/promises'
import type { CDPSession } from 'playwright-core'
import { expect, test } from 'vitest'
import { acquaint, arrive, bubble, openPerson } from './person.ts'
import { useSite } from './site.ts'

const site = useSite()

async function metricOf(session: CDPSession, wanted: 'JSHeapUsedSize' | 'TaskDuration'): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === wanted)!.value
}

/** Returns how many MB JavaScript uses, after a collection. */
async function heapOf(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage')
  return (await metricOf(session, 'JSHeapUsedSize')) / 2 ** 20
}

const middle = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!
const shown = (ms: number) => `${ms.toFixed(0)} ms`

// The aims are 60 frames a second and 30 ms for a key on a machine that does nothing else.
test('5,000 messages scroll and are typed into, 2,000 more grow the page by less than 20 MB, and then it is idle', async () => {
  await using alice = await openPerson(site.url)
  await using bob = await openPerson(site.url)
  await acquaint(site.service, alice, bob)
  const asAlice = await site.service.as(alice.address)
  const send = async (from: number, count: number) => {
    for (let n = from; n < from + count; n += 50)
      await Promise.all([
        // A conversation takes 1,000 messages a second.
        sleep(60),
        ...Array.from({ length: 50 }, (_, i) =>
          asAlice.sendDirectMessage({
            body: { fromaddr: alice.address, toaddr: bob.address, message: `line ${n + i}` },
          }),
        ),
      ])
  }
  await send(0, 4950)
  await asAlice.sendDirectMessage({ body: { fromaddr: alice.address, toaddr: bob.address, message: 'last' } })
  const asBob = await site.service.as(bob.address)
  await asBob.markReadTo({ addr: alice.address, body: { id: Number.MAX_SAFE_INTEGER, context_type: 'dm' } })
  const { page } = bob
  await arrive(bob, `/dm/${alice.address}`)
  await bubble(bob, 'last').waitFor()
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')

  const frames = page.evaluate(async () => {
    const log = document.querySelector('[role=log]')!
    const times: number[] = []
    let before = performance.now()
    for (let frame = 0; frame < 180; frame++) {
      log.scrollBy(0, -60)
      await new Promise(requestAnimationFrame)
      times.push(performance.now() - before)
      before = performance.now()
    }
    return times
  })
  const frame = middle(await frames)

  const field = page.getByRole('textbox', { name: /^Message / })
  await field.focus()
  await page.evaluate(() => {
    const times: number[] = []
    Object.assign(globalThis, { keyTimes: times })
    addEventListener(
      'keydown',
      () => {
        const begun = performance.now()
        requestAnimationFrame(() => setTimeout(() => times.push(performance.now() - begun)))
      },
      { capture: true },
    )
  })
  await field.pressSequentially('What one types is there at once.', { delay: 40 })
  const keys = middle(await page.evaluate(() => (globalThis as unknown as { keyTimes: number[] }).keyTimes))
  await field.fill('')

  await page.getByRole('log').evaluate((log) => log.scrollTo(0, log.scrollHeight))
  const before = await heapOf(session)
  await send(5000, 2000)
  await asAlice.sendDirectMessage({ body: { fromaddr: alice.address, toaddr: bob.address, message: 'end' } })
  await expect.poll(() => bubble(bob, 'end').count()).toBe(1)
  // What has been read is sent some time after it is shown.
  await page.waitForTimeout(8000)
  const grown = (await heapOf(session)) - before

  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  const begun = await metricOf(session, 'TaskDuration')
  await page.waitForTimeout(10_000)
  const worked = ((await metricOf(session, 'TaskDuration')) - begun) * 1000
  console.log(
    `a frame ${shown(frame)}, a key ${shown(keys)}, heap ${before.toFixed(1)} MB and ${grown.toFixed(1)} more, ` +
      `idle for 10 s: ${shown(worked)} of work`,
  )
  expect(frame).toBeLessThan(60)
  expect(keys).toBeLessThan(150)
  expect(grown).toBeLessThan(20)
  expect(requests).toEqual([])
  expect(worked).toBeLessThan(1000)
  expect(bob.complaints).toEqual([])
})
