// Attacks on the frame and by it: the table of docs/security.md, each in a real browser.

import { scopeStatement, signInText } from '@parley/sdk'
import type { Frame } from 'playwright-core'
import { describe, test } from 'vitest'
import { newWallet } from '../../testing/service/service.ts'
import { openPanel, signInToFrame, useHost, write } from './host-page.ts'
import { acquaint, eventually, type Person } from './person.ts'

const host = useHost()

/** The token that a frame has stored, for the conversation with a wallet. */
const tokenOf = (frame: Frame, peer: string): Promise<string> =>
  frame.evaluate((of) => {
    const [, session] = Object.entries(sessionStorage).find(([name]) => name.endsWith(of))!
    return (JSON.parse(String(session)) as { token: string }).token
  }, peer)

/** Whether a page shows another one in a frame, by what the other one's document is. */
async function isShown({ page }: Person, src: string): Promise<boolean> {
  await page.evaluate(
    (address) =>
      new Promise((resolve) => {
        const iframe = Object.assign(document.createElement('iframe'), { src: address, onload: resolve })
        document.body.append(iframe)
      }),
    src,
  )
  return page.frames().some((frame) => frame.url() === src)
}

test.concurrent('clickjacking: no site shows the client, and an unknown one does not show the frame', async ({
  expect,
}) => {
  await using visitor = await host.open({ body: '' })
  const seller = newWallet()
  expect(await isShown(visitor, `${host.url}/embed/dm/${seller}`)).toBe(true)
  for (const path of ['/', `/dm/${seller}`, '/settings', '/docs/index.html'])
    expect(await isShown(visitor, host.url + path), path).toBe(false)
  await visitor.page.goto(host.stranger + new URL(visitor.page.url()).pathname)
  expect(await isShown(visitor, `${host.url}/embed/dm/${seller}`)).toBe(false)
  // A site that may show the frame cannot show it inside of one that may not.
  await visitor.page.evaluate(
    (inner) => {
      document.body.append(Object.assign(document.createElement('iframe'), { src: inner }))
    },
    host.origin + host.add(`<!doctype html><iframe src="${host.url}/embed/dm/${seller}"></iframe>`),
  )
  await eventually(
    () => visitor.page.frames().map((frame) => frame.url()),
    (urls) => expect(urls.some((url) => url.startsWith('chrome-error:'))).toBe(true),
  )
  expect(visitor.page.frames().filter((frame) => frame.url().includes('/embed/'))).toEqual([])
})

test.concurrent('a frame that asks for another signature, or for anything else of the wallet, gets none', async ({
  expect,
}) => {
  const seller = newWallet()
  await using visitor = await host.open({ body: `<parley-chat to="${seller}"></parley-chat>` })
  const { host: domain, origin: uri } = new URL(host.origin)
  const scopes = [`dm:${seller}`, 'public:read']
  const fields = { domain, uri, address: visitor.address, nonce: '6a1f4d2c9f86d081884c7d65' }
  const right = signInText({ ...fields, scopes })
  const other = newWallet()
  const wrong = {
    'the text of another site': signInText({
      ...fields,
      domain: 'bank.example',
      uri: 'https://bank.example',
      scopes,
    }),
    'another page of it': signInText({ ...fields, uri: 'https://bank.example', scopes }),
    'another wallet': signInText({ ...fields, address: other, scopes }),
    'another chain': signInText({ ...fields, chainId: 137, scopes }),
    'another conversation': signInText({ ...fields, scopes: [`dm:${other}`, 'public:read'] }),
    'more than the element shows': signInText({ ...fields, scopes: [...scopes, 'dm:begin'] }),
    'all that a wallet may do': signInText(fields),
    'words that say less than the resources': signInText({
      ...fields,
      scopes: [...scopes, 'inbox:read'],
    }).replace(scopeStatement(domain, [...scopes, 'inbox:read']), scopeStatement(domain, scopes)),
    'a line more': `${right}\n- https://bank.example/`,
    'a line before': `I owe you all.\n${right}`,
    'a nonce with more in it': right.replace(/Nonce: .*/, 'Nonce: 6a1f4d2c9f86 I owe you all.'),
    'any text': 'I owe you all.',
    'no text': undefined,
  }
  // The service itself is hostile here: it sends another page into the frame.
  await visitor.page.route('**/embed/dm/**', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><script>addEventListener('message', ({ ports: [port] }) => {
        const waiting = new Map()
        let last = 0
        port.onmessage = ({ data }) => waiting.get(data.answer)?.(data)
        globalThis.ask = (asked) => new Promise((resolve) => {
          waiting.set(++last, resolve)
          port.postMessage({ ...asked, number: last })
        })
        port.postMessage({ tell: 'ready' })
      })</script>`,
    }),
  )
  const frame = await openPanel(visitor)
  await frame.waitForFunction(() => 'ask' in globalThis)
  const ask = (asked: object): Promise<{ value?: unknown; refused?: string }> =>
    frame.evaluate(
      async (one) => (globalThis as unknown as { ask: (asked: object) => Promise<object> }).ask(one),
      asked,
    )
  // Before a wallet is connected, nothing is signed.
  expect(await ask({ ask: 'sign', text: right })).toMatchObject({ refused: /signs a sign-in/ })
  expect(await ask({ ask: 'connect', wallet: '6f1f3c5e-6e0b-4b0e-9a3b-0d6a5f1c2b3d' })).toMatchObject({
    value: { chainId: 1 },
  })
  for (const [name, text] of Object.entries(wrong))
    expect((await ask({ ask: 'sign', text })).refused, name).toMatch(/signs a sign-in/)
  // The frame is no way to the chain: it names no method of the wallet.
  for (const method of ['eth_sendTransaction', 'personal_sign', 'eth_call', 'request'])
    expect((await ask({ ask: method, text: 'x', params: [] })).refused, method).toMatch(/signs a sign-in/)
  expect(visitor.signed).toEqual([])
  expect((await ask({ ask: 'sign', text: right })).value).toMatch(/^0x/)
  expect(visitor.signed).toEqual([right])
})

test.concurrent('messages of other windows are not heard, neither by the frame nor by the script', async ({
  expect,
}) => {
  // An advertisement sends to every frame of the page that it finds, and to the page, again and again.
  const ad = host.add(`<!doctype html><script>
    globalThis.heard = []
    globalThis.rounds = 0
    const looks = { theme: 'dark', accent: 'red', onAccent: 'red', dir: 'rtl' }
    setInterval(() => {
      for (let at = 0; at < parent.length; at++) {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = ({ data }) => heard.push(data)
        parent[at].postMessage({ parley: 'hello', looks }, '*', [port2])
      }
      parent.postMessage({ ask: 'connect', wallet: 'own', number: 1 }, '*')
      parent.postMessage({ ask: 'sign', text: 'I owe you all.', number: 2 }, '*')
      rounds++
    }, 20)
  </script>`)
  const seller = newWallet()
  await using visitor = await host.open({
    body: `<iframe src="${host.stranger}${ad}"></iframe><iframe src="${host.url}/embed/dm/${seller}"></iframe><parley-chat to="${seller}"></parley-chat>`,
  })
  const { page } = visitor
  const spoofing = page.frames().find((one) => one.url().endsWith(ad))!
  const spoofed = page.frames().find((one) => one.url().includes('/embed/'))!
  await spoofed.waitForLoadState()
  await spoofing.waitForFunction(
    (before) => (globalThis as unknown as { rounds: number }).rounds > before + 20,
    await spoofing.evaluate(() => (globalThis as unknown as { rounds: number }).rounds),
  )
  // The frame in the closed element cannot even be found there.
  await openPanel(visitor)
  expect(await page.evaluate(() => window.length)).toBe(2)
  const looksOf = () =>
    spoofed.evaluate(() => [document.documentElement.dataset['theme'], document.documentElement.dir])
  expect(await looksOf()).toEqual([undefined, ''])
  /** Hands over a channel as the page around the frame, and returns what is said on it within a time. */
  const handOver = (theme: string) =>
    page.evaluate(
      ([service, chosen]) =>
        new Promise<unknown[]>((resolve) => {
          const { port1, port2 } = new MessageChannel()
          const heard: unknown[] = []
          port1.addEventListener('message', ({ data }) => heard.push(data))
          port1.start()
          const looks = { theme: chosen, accent: '', onAccent: '', dir: 'ltr' }
          // A text of the site is not taken over, whatever its name.
          const texts = { text: 'spoofed', message: 'spoofed', draft: 'spoofed' }
          window[1]!.postMessage({ parley: 'hello', looks, ...texts }, service!, [port2])
          setTimeout(() => resolve(heard), 1000)
        }),
      [host.url, theme],
    )
  expect(await handOver('light')).toContainEqual({ tell: 'ready' })
  expect(await looksOf()).toEqual(['light', 'ltr'])
  // One channel is all that it takes.
  expect(await handOver('dark')).toEqual([])
  expect(await looksOf()).toEqual(['light', 'ltr'])
  expect(await spoofed.getByText('spoofed').count()).toBe(0)
  expect(await spoofing.evaluate(() => (globalThis as unknown as { heard: unknown[] }).heard)).toEqual([])
  expect(visitor.signed).toEqual([])
})

test.concurrent('two frames of a page know nothing of each other, and one is open at a time', async ({
  expect,
}) => {
  const [ann, ben] = [newWallet(), newWallet()]
  await using visitor = await host.open({
    body: `<parley-chat id="ann" to="${ann}"></parley-chat><parley-chat id="ben" to="${ben}"></parley-chat>`,
  })
  await acquaint(host.service, visitor, ann, ben)
  const first = await signInToFrame(visitor, '#ann', `dm/${ann}`)
  const second = await openPanel(visitor, '#ben', `dm/${ben}`)
  // Signed in to the one is not signed in to the other.
  await second.getByRole('button', { name: 'Sign in with Test Wallet' }).click()
  await second.getByRole('textbox').waitFor()
  expect(visitor.signed).toHaveLength(2)
  const [asAnn, asBen] = [await host.service.as(ann), await host.service.as(ben)]
  const send = (client: typeof asAnn, from: string) =>
    client.sendDirectMessage({ body: { fromaddr: from, toaddr: visitor.address, message: `from ${from}` } })
  await send(asAnn, ann)
  await send(asBen, ben)
  await second.getByText(`from ${ben}`).waitFor()
  await first.getByText(`from ${ann}`).waitFor({ state: 'attached' })
  expect(await second.getByText(`from ${ann}`).count()).toBe(0)
  expect(await first.getByText(`from ${ben}`).count()).toBe(0)
  // The first one is closed: what came is not read.
  const [item] = await asAnn.listConversation({ fromaddr: ann, toaddr: visitor.address })
  expect(item!.read).toBe(false)
})

test.concurrent('a sign-out in one frame of a site ends all that its frames may do, loaded or not', async ({
  expect,
}) => {
  const [ann, ben] = [newWallet(), newWallet()]
  await using visitor = await host.open({
    body: `<parley-chat id="ann" to="${ann}"></parley-chat><parley-chat id="ben" to="${ben}"></parley-chat>`,
  })
  await acquaint(host.service, visitor, ann, ben)
  const { address } = visitor
  const readsWith = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` }
    return (await fetch(`${host.url}/v1/getall_chatitems/${address}/${ann}`, { headers })).status
  }
  const enter = async () => {
    const first = await signInToFrame(visitor, '#ann', `dm/${ann}`)
    const token = await tokenOf(first, ann)
    expect(await readsWith(token)).toBe(200)
    await first.getByRole('textbox').press('Escape')
    return { first, token }
  }
  const leave = async () => {
    const second = await openPanel(visitor, '#ben', `dm/${ben}`)
    const signIn = second.getByRole('button', { name: 'Sign in with Test Wallet' })
    const signOut = second.getByRole('button', { name: 'Sign out' })
    await signIn.or(signOut).waitFor()
    if (await signIn.isVisible()) await signIn.click()
    await signOut.click()
    await signIn.waitFor()
    await visitor.page.keyboard.press('Escape')
  }
  const { first, token } = await enter()
  await leave()
  await first.getByText('Sign in with Test Wallet').waitFor({ state: 'attached' })
  await eventually(
    () => readsWith(token),
    (status) => expect(status).toBe(401),
  )

  // After a reload the frame of the first is not there, and what it has stored is.
  const again = await enter()
  await visitor.page.reload()
  await leave()
  await eventually(
    () => readsWith(again.token),
    (status) => expect(status).toBe(401),
  )
  const shown = await openPanel(visitor, '#ann', `dm/${ann}`)
  await shown.getByRole('button', { name: 'Sign in with Test Wallet' }).waitFor()
})

test.concurrent('a stolen token is good for one conversation, and its owner ends it', async ({ expect }) => {
  const [seller, friend] = [newWallet(), newWallet()]
  await using visitor = await host.open({ body: `<parley-chat to="${seller}"></parley-chat>` })
  await acquaint(host.service, visitor, seller, friend)
  const frame = await signInToFrame(visitor)
  const authorization = `Bearer ${await tokenOf(frame, seller)}`
  const { address } = visitor
  const call = async (method: string, path: string, body?: object) => {
    const json = body && { body: JSON.stringify(body) }
    const headers = { authorization, 'content-type': 'application/json' }
    return (await fetch(host.url + path, { method, headers, ...json })).status
  }
  const list = `/v1/getall_chatitems/${address}`
  const send = (toaddr: string) =>
    call('POST', '/v1/create_chatitem', { fromaddr: address, toaddr, message: 'as you' })
  expect(await call('GET', `${list}/${seller}`)).toBe(200)
  expect(await send(seller)).toBe(200)
  expect(await call('GET', `${list}/${friend}`)).toBe(403)
  expect(await send(friend)).toBe(403)
  for (const path of [`/v1/get_inbox/${address}`, `/v1/sessions/${address}`])
    expect(await call('GET', path), path).toBe(403)
  expect(await call('POST', '/v1/name', { address, name: 'Mallory' })).toBe(403)
  // The wallet sees which site may do what, and ends it.
  const asVisitor = await host.service.as(address)
  const sessions = await asVisitor.listSessions({ address })
  const found = sessions.find(({ origin }) => origin === host.origin)!
  expect(found.scopes).toEqual([`dm:${seller}`, 'public:read'])
  await asVisitor.endSession({ address, session: found.id })
  expect(await call('GET', `${list}/${seller}`)).toBe(401)
  await frame.getByRole('button', { name: 'Sign in with Test Wallet' }).waitFor()
})

test.concurrent('the service calls no chain for the page, and its page calls nobody else', async ({
  expect,
}) => {
  await using visitor = await host.open({ body: `<parley-chat to="${newWallet()}"></parley-chat>` })
  const frame = await openPanel(visitor)
  await frame.getByRole('button', { name: 'Sign in with Test Wallet' }).waitFor()
  const refused = await frame.evaluate(
    async (elsewhere) =>
      fetch(elsewhere, { method: 'POST', mode: 'no-cors' }).then(
        () => false,
        () => true,
      ),
    host.origin,
  )
  expect(refused).toBe(true)
  for (const path of ['/v1/rpc', '/rpc', '/embed/rpc', '/v1/rpc/1']) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] })
    const headers = { 'content-type': 'application/json' }
    const { status } = await fetch(host.url + path, { method: 'POST', headers, body })
    expect(status, path).toBe(404)
  }
  expect(await frame.evaluate(() => 'ethereum' in globalThis)).toBe(false)
})

describe('with limits', () => {
  const limited = useHost({ rateLimits: true, firstContacts: { burst: 2, perSecond: 1 } })

  test('a visitor who writes to the owner of one listing after another is stopped', async ({ expect }) => {
    const owners = [newWallet(), newWallet(), newWallet(), newWallet()]
    for (const owner of owners)
      await (await limited.service.as(owner)).setDmPolicy({ body: { who: 'requests' } })
    await using visitor = await limited.open({
      body: owners.map((owner, at) => `<parley-chat id="n${at}" to="${owner}"></parley-chat>`).join(''),
    })
    let refused = ''
    for (const [at, owner] of owners.entries()) {
      const frame = await signInToFrame(visitor, `#n${at}`, `dm/${owner}`)
      await write(frame, 'Buy my hats')
      const sent = frame.getByRole('article')
      await sent.locator('time').or(sent.getByText('Not sent.')).waitFor()
      refused = (await sent.getByRole('alert').allTextContents()).join('')
      if (refused) break
      await frame.getByText('waits among their requests').waitFor()
      await frame.getByRole('textbox').press('Escape')
    }
    expect(refused).toMatch(/^Not sent\. /)
    const last = owners.at(-1)!
    const items = await (
      await limited.service.as(last)
    ).listConversation({
      fromaddr: last,
      toaddr: visitor.address,
    })
    expect(items).toEqual([])
  })
})
