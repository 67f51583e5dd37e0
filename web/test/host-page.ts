// A site that shows messages of the service: static pages on an origin of their own, without any header that is not asked for.

import { createServer, type Server } from 'node:http'
import type { Browser, Frame } from 'playwright-core'
import { afterAll, assert } from 'vitest'
import { freePort } from '../../testing/service/ports.ts'
import type { startSite } from '../../testing/service/service.ts'
import { eventually, openPerson, type Person } from './person.ts'
import { useSite } from './site.ts'
import { testWallet, walletScript } from './wallet.ts'

type Options = Parameters<typeof startSite>[0]

interface Page {
  /** What is in the body. */
  body: string
  /** The policy of the site. */
  policy?: string
  /** Without it the page has the script and a wallet. */
  head?: string
  /** Opens it as this person. */
  as?: Person
  /** Storage throws, as where a browser blocks that of other sites. */
  storageless?: boolean
  /** Opens it in this browser. */
  browser?: Browser
}

/** A site at `localhost`, which may show the service at 127.0.0.1, and one that may not. */
export function useHost(options: Options | (() => Promise<Options>) = {}) {
  const pages = new Map<string, { body: string; type: string; policy?: string | undefined }>()
  let server: Server | undefined
  let origin = ''
  let stranger = ''
  const site = useSite(async () => {
    const port = await freePort()
    origin = `http://localhost:${port}`
    stranger = `http://127.0.0.1:${port}`
    server = createServer(({ url = '' }, response) => {
      const page = pages.get(new URL(url, origin).pathname)
      response.writeHead(page ? 200 : 404, {
        'content-type': page?.type ?? 'text/plain',
        ...(page?.policy && { 'content-security-policy': page.policy }),
      })
      response.end(page?.body)
    })
    server.listen(port)
    return { ...(typeof options === 'function' ? await options() : options), embedOrigins: [origin] }
  })
  afterAll(() => server?.close().closeAllConnections())
  let last = 0
  const put = (path: string, body: string, type = 'text/html', policy?: string) => {
    pages.set(path, { body, type, policy })
    return path
  }
  const add = (body: string, type?: string, policy?: string) => put(`/${(last += 1)}`, body, type, policy)
  /** Adds the script of a wallet, which is in the page that names it and in no frame. */
  const addWallet = ({ address }: Person) => {
    const wallet = { address, rdns: testWallet, announced: true }
    return add(`(${walletScript.toString()})(${JSON.stringify(wallet)})`, 'text/javascript')
  }
  return {
    get service() {
      return site.service
    },
    get url() {
      return site.url
    },
    get origin() {
      return origin
    },
    /** The same pages at an origin that the service does not know. */
    get stranger() {
      return stranger
    },
    add,
    put,
    addWallet,
    /** Opens a page of the site as a person with a wallet, which is in that page alone. */
    open: async ({ body, policy, head, as, browser, storageless = false }: Page): Promise<Person> => {
      const visitor = as ?? (await openPerson(origin, { wallet: { announced: false }, browser }))
      const script = addWallet(visitor)
      if (storageless)
        await visitor.context.addInitScript(() => {
          for (const name of ['sessionStorage', 'localStorage', 'indexedDB'])
            Object.defineProperty(globalThis, name, {
              get: () => {
                throw new DOMException('Access is denied for this document.', 'SecurityError')
              },
            })
        })
      const first = head ?? `<script src="${script}"></script><script src="${site.url}/embed.js"></script>`
      const path = add(
        `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Shop</title>${first}<body>${body}`,
        'text/html',
        policy,
      )
      await visitor.page.goto(origin + path)
      return visitor
    },
    /** What the page complains about, without that it asks the service. */
    complaintsOf: ({ complaints }: Person) =>
      complaints.filter((one) => !one.startsWith(`asked elsewhere: ${site.url}`)),
  }
}

/** The frame in the closed element of a page, once it is there. */
export async function frameOf({ page }: Person, path = ''): Promise<Frame> {
  let found: Frame | undefined
  await eventually(
    () => {
      found = page
        .frames()
        .find((frame) => new URL(frame.url() || 'about:blank').pathname.startsWith(`/embed/${path}`))
    },
    () => assert.isDefined(found),
  )
  return found!
}

/** Clicks the button of the element, and returns its frame. */
export async function openPanel(person: Person, selector = 'parley-chat', path = ''): Promise<Frame> {
  await person.page.locator(selector).click()
  return frameOf(person, path)
}

/** Opens the panel and signs in with the wallet of the site's page. */
export async function signInToFrame(person: Person, selector?: string, path?: string): Promise<Frame> {
  const frame = await openPanel(person, selector, path)
  await frame.getByRole('button', { name: 'Sign in with Test Wallet' }).click()
  await frame
    .getByRole('button', { name: 'Sign out' })
    .waitFor()
    .catch(async (error: Error) => {
      throw new Error(`The frame shows: ${await frame.locator('body').innerText()}`, { cause: error })
    })
  return frame
}

/** Writes a text in a frame. */
export async function write(frame: Frame, text: string): Promise<void> {
  const field = frame.getByRole('textbox')
  await field.fill(text)
  await field.press('Enter')
}
