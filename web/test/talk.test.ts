import { generatePrivateKey } from 'viem/accounts'
import { expect, test } from 'vitest'
import { newWallet } from '../../testing/service/service.ts'
import { acquaint, arrive, bubble, openConversation, openPerson, type Person, say, signIn } from './person.ts'
import { useSite } from './site.ts'

const site = useSite()

/** Waits until exactly this many messages have a state. */
async function shownTimes({ page }: Person, state: string | RegExp, times: number): Promise<void> {
  const messages = page.getByRole('img', { name: state })
  await messages.nth(times - 1).waitFor()
  expect(await messages.count()).toBe(times)
}

test.concurrent('two people sign in with their wallets and talk: messages, typing and receipts are live', async () => {
  await using alice = await openPerson(site.url)
  await using bob = await openPerson(site.url)
  await acquaint(site.service, alice, bob)
  await signIn(alice)
  await signIn(bob)
  await alice.page.getByText('No conversations yet').waitFor()

  await openConversation(alice, bob)
  await say(alice, 'gm Bob')
  await bubble(alice, 'gm Bob').waitFor()
  await alice.page.getByRole('log').getByRole('img', { name: 'Sent' }).waitFor()

  const row = bob.page.getByRole('link', { name: /gm Bob/ })
  await row.getByText('1 unread').waitFor({ state: 'attached' })
  await bob.page.waitForFunction(() => document.title === '(1) Chats · Parley')
  await row.click()
  await bubble(bob, 'gm Bob').waitFor()
  await alice.page.getByRole('log').getByRole('img', { name: 'Read' }).waitFor()
  await bob.page.waitForFunction(() => !document.title.startsWith('('))

  await bob.page.getByRole('textbox', { name: /^Message / }).pressSequentially('gm')
  await alice.page.getByText(/is typing…$/).waitFor()
  await say(bob, 'gm Alice')
  await bubble(alice, 'gm Alice').waitFor()
  await alice.page.getByText(/is typing…$/).waitFor({ state: 'hidden' })
  await bob.page.getByRole('log').getByRole('img', { name: 'Read' }).waitFor()
  expect([...alice.complaints, ...bob.complaints]).toEqual([])
})

test.concurrent('a person stays signed in, can add a second wallet, switch, and sign out', async () => {
  await using alice = await openPerson(site.url)
  const { page } = alice
  await signIn(alice)
  await page.reload()
  await page.getByText('No conversations yet').waitFor()
  const menu = page.getByRole('button', { name: 'Your wallets and settings' })
  await menu.click()
  await page.getByRole('menuitem', { name: 'Add another wallet' }).click()
  await page.getByRole('button', { name: 'Try without a wallet' }).click()
  await menu.click()
  await page.getByText('Throw-away key').waitFor()
  await page.getByRole('menuitem', { name: alice.address.slice(0, 6) }).click()
  await page.goto('/settings')
  await page.getByRole('main').getByText(alice.address.slice(2, 6), { exact: false }).first().waitFor()
  await page.goto('/')
  await menu.click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  // The other wallet is still signed in. After it signs out too, its key is kept.
  await menu.click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Welcome to Parley' }).waitFor()
  await page.getByRole('button', { name: /^Continue as 0x/ }).click()
  await page.getByText('No conversations yet').waitFor()
  expect(alice.complaints).toEqual([])
})

test.concurrent('messages written without a connection wait, say so, and are sent once when it is back', async () => {
  await using alice = await openPerson(site.url)
  const bob = newWallet()
  await acquaint(site.service, alice, bob)
  await arrive(alice)
  await openConversation(alice, { address: bob })
  await say(alice, 'before')
  await alice.page.getByRole('img', { name: 'Sent' }).waitFor()

  await alice.context.setOffline(true)
  await alice.page.getByText('You’re offline.').waitFor()
  await say(alice, 'meanwhile one')
  await say(alice, 'meanwhile two')
  await alice.page.getByRole('log').getByRole('img', { name: 'Waiting for a connection' }).first().waitFor()
  // The draft is kept too.
  await alice.page.getByRole('textbox', { name: /^Message / }).fill('half a thought')
  await (
    await site.service.as(bob)
  ).sendDirectMessage({
    body: { fromaddr: bob, toaddr: alice.address, message: 'are you there?' },
  })

  await alice.context.setOffline(false)
  await alice.page.getByText('You’re offline.').waitFor({ state: 'hidden' })
  await bubble(alice, 'are you there?').waitFor()
  await shownTimes(alice, /^(Sent|Read)$/, 3)
  const stored = await (
    await site.service.as(bob)
  ).listConversation({
    fromaddr: alice.address,
    toaddr: bob,
  })
  expect(stored.map(({ message }) => message).toSorted()).toEqual(
    ['are you there?', 'before', 'meanwhile one', 'meanwhile two'].toSorted(),
  )
  await alice.page.reload()
  expect(await alice.page.getByRole('textbox', { name: /^Message / }).inputValue()).toBe('half a thought')
})

test.concurrent('messages that the service failed to store are sent after a reload, in order and under the same keys', async () => {
  await using alice = await openPerson(site.url)
  const bob = newWallet()
  await arrive(alice, `/dm/${bob}`)
  const keys: (string | undefined)[] = []
  let down = true
  await alice.page.route('**/v1/create_chatitem', (route) => {
    keys.push(route.request().headers()['idempotency-key'])
    return down ? route.fulfill({ status: 503, json: {} }) : route.continue()
  })
  await say(alice, 'first')
  await say(alice, 'second')
  await alice.page.getByRole('log').getByRole('img', { name: 'Waiting for a connection' }).waitFor()
  down = false
  await alice.page.reload()
  await shownTimes(alice, 'Sent', 2)
  const stored = await (await site.service.as(bob)).listConversation({ fromaddr: bob, toaddr: alice.address })
  expect(stored.map(({ message }) => message)).toEqual(['first', 'second'])
  expect(new Set(keys).size).toBe(2)
})

test.concurrent('the same text sent from two devices at once is shown once per message', async () => {
  const key = generatePrivateKey()
  await using laptop = await openPerson(site.url, { key })
  await using phone = await openPerson(site.url, { key })
  const bob = newWallet()
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  await laptop.page.route('**/v1/create_chatitem', async (route) => {
    const response = await route.fetch()
    await answered
    await route.fulfill({ response })
  })
  await arrive(laptop, `/dm/${bob}`)
  await arrive(phone, `/dm/${bob}`)
  await say(laptop, 'ok')
  await bubble(phone, 'ok').waitFor()
  await say(phone, 'ok')
  await shownTimes(phone, 'Sent', 2)
  const asMe = await site.service.as(laptop.address)
  const body = { fromaddr: laptop.address, toaddr: bob, message: 'a mistake' }
  const [mistake] = await asMe.sendDirectMessage({ body })
  await asMe.deleteDirectMessage({ id: mistake!.id })
  // Events of a conversation arrive in order: once Bob's message is shown, the others have arrived.
  await (
    await site.service.as(bob)
  ).sendDirectMessage({ body: { fromaddr: bob, toaddr: laptop.address, message: 'twice?' } })
  await bubble(laptop, 'twice?').waitFor()
  expect(await bubble(laptop, 'ok').count()).toBe(1)
  answer()
  await shownTimes(laptop, 'Sent', 2)
  expect(await bubble(laptop, 'ok').count()).toBe(2)
  expect(await bubble(laptop, 'a mistake').count()).toBe(0)
  expect([...laptop.complaints, ...phone.complaints]).toEqual([])
})

test.concurrent('a message that is refused says why; trying again repeats it under the same key', async () => {
  await using alice = await openPerson(site.url)
  await arrive(alice, '/dm/0x00000000000000000000000000000000000000aa')
  const keys: (string | undefined)[] = []
  let refuse = true
  await alice.page.route('**/v1/create_chatitem', async (route) => {
    keys.push(route.request().headers()['idempotency-key'])
    if (!refuse) return route.continue()
    refuse = false
    await route.fulfill({
      status: 403,
      contentType: 'application/problem+json',
      body: JSON.stringify({ type: '/docs/errors#forbidden', status: 403, detail: 'Not today.' }),
    })
  })
  await say(alice, 'please')
  await alice.page.getByText('Couldn’t send. Not today.').waitFor()
  await alice.page.getByRole('button', { name: 'Try again' }).click()
  await alice.page.getByRole('img', { name: 'Sent' }).waitFor()
  expect(keys).toEqual([expect.stringMatching(/^[\da-f]{32}$/), keys[0]])
})

test.concurrent('a message, a name and a picture that contain a script are shown as text or not at all', async () => {
  await using alice = await openPerson(site.url)
  const eve = newWallet()
  await acquaint(site.service, alice, eve)
  const attack = `<img src=x onerror="alert(1)"><script>alert(2)</script>`
  const asEve = await site.service.as(eve)
  await asEve.setName({ body: { address: eve, name: '<script>alert(3)</script>' } })
  for (const message of [attack, 'javascript:alert(4)', 'https://example.org/"onmouseover="alert(5)'])
    await asEve.sendDirectMessage({ body: { fromaddr: eve, toaddr: alice.address, message } })
  // The service accepts real pictures only. This answer pretends that one got through.
  await alice.page.route(`**/v1/image/${eve}`, (route) =>
    route.fulfill({
      json: [
        {
          id: 1,
          addr: eve,
          base64data: `data:image/svg+xml;base64,${btoa('<svg onload="alert(6)"/>')}`,
        },
      ],
    }),
  )
  await arrive(alice, `/dm/${eve}`)
  await bubble(alice, attack).waitFor()
  await bubble(alice, 'javascript:alert(4)').waitFor()
  await alice.page.getByRole('heading', { name: '<script>alert(3)</script>' }).waitFor()
  expect(
    await alice.page
      .getByRole('log')
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
  ).toEqual(['https://example.org/'])
  expect(await alice.page.locator('main img[src]').count()).toBe(0)
  expect(alice.complaints).toEqual([])
})

test(
  'a conversation of 100,000 messages opens as fast as one of a single message, and reads upwards',
  { timeout: 120_000 },
  async () => {
    await using alice = await openPerson(site.url)
    const [bob, carol] = [newWallet(), newWallet()]
    const asAlice = await site.service.as(alice.address)
    for (const toaddr of [bob, carol])
      await asAlice.sendDirectMessage({ body: { fromaddr: alice.address, toaddr, message: 'the first' } })
    await site.service.ctx.db.query(
      `insert into direct_messages (bucket, conversation_id, id, fromaddr, toaddr, message, ms)
     select c.bucket, c.id, next_id_v1(c.bucket, null), $1, $2, 'message ' || n, c.last_ms - 172800000 + n * 1000
     from conversations c, generate_series(1, 99999) n where $1 in (a, b) and $2 in (a, b)`,
      [alice.address, bob],
    )
    await arrive(alice, `/dm/${bob}`)
    await bubble(alice, 'message 99999').waitFor()
    // Other tests run beside this one: of three loads in turn the fastest counts.
    const opens = async (peer: string, text: string) => {
      const start = performance.now()
      await alice.page.goto(`/dm/${peer}`)
      await bubble(alice, text).waitFor()
      return performance.now() - start
    }
    const [long, short]: [number[], number[]] = [[], []]
    for (let i = 0; i < 3; i++) {
      short.push(await opens(carol, 'the first'))
      long.push(await opens(bob, 'message 99999'))
    }
    expect(Math.min(...long)).toBeLessThan(Math.min(...short) * 1.5 + 200)
    const log = alice.page.getByRole('log')
    const oldest = async () => Number(/message (\d+)/.exec(await log.innerText())?.[1])
    for (let i = 0; i < 4; i++) {
      const before = await oldest()
      await log.evaluate((element) => element.scrollTo(0, 0))
      await expect.poll(oldest, { timeout: 8000 }).toBeLessThan(before)
    }
    // Only what is near the screen is in the page.
    expect(await log.locator('[data-index]').count()).toBeLessThan(60)
  },
)
