import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { afterAll, beforeAll } from 'vitest'
import { freePort } from '../../testing/service/ports.ts'
import { newToken, newWallet, type startSite } from '../../testing/service/service.ts'
import { openPerson, type Person } from '../../web/test/person.ts'
import { useSite } from '../../web/test/site.ts'
import { bundle, type Version } from './bundle.ts'

/** A site on an origin of its own, which may ask for all unless the options of the service say otherwise. */
export function usePages(
  version: Version,
  optionsFor: (origin: string) => Parameters<typeof startSite>[0] = (origin) => ({
    allowedDomains: [new URL(origin).host],
  }),
) {
  let server: ReturnType<typeof createServer> | undefined
  let url = ''
  const site = useSite(async () => {
    const port = await freePort()
    url = `http://127.0.0.1:${port}`
    const script = await bundle('page.tsx', version)
    server = createServer(({ url: asked }, response) => {
      const isScript = asked === '/page.js'
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
      response.end(
        isScript
          ? script
          : '<!doctype html><div id="root"></div><script type="module" src="/page.js"></script>',
      )
    }).listen(port, '127.0.0.1')
    return optionsFor(url)
  })
  afterAll(() => server?.close().closeAllConnections())
  const lines = new Set<Socket>()
  beforeAll(() => {
    site.service.app.server.on('connection', (socket) => {
      lines.add(socket)
      socket.once('close', () => lines.delete(socket))
    })
  })
  const addressOf = (asked: Record<string, string>) =>
    `${url}/?${new URLSearchParams({ service: site.url, ...asked })}`
  return {
    get service() {
      return site.service
    },
    /** Breaks all connections to the service; those of streams as well, which its server no longer lists. */
    breakLines: () => lines.forEach((socket) => socket.destroy()),
    /** Opens the page as a person with a wallet, signed out. */
    open: async (asked: Record<string, string>, as?: Person): Promise<Person> => {
      const person = as ?? (await openPerson(url, { wallet: { flags: {} } }))
      await person.page.goto(addressOf(asked))
      return person
    },
    /** Opens the page with a token that the site has already. */
    enter: async (
      asked: Record<string, string>,
      { address = newWallet(), token }: { address?: string; token?: string } = {},
    ): Promise<Person> => {
      const person = await openPerson(url, { wallet: { flags: {} } })
      const own = token ?? (await newToken(site.service.ctx, address))
      await person.page.goto(addressOf({ address, token: own, ...asked }))
      return { ...person, address, [Symbol.asyncDispose]: person[Symbol.asyncDispose].bind(person) }
    },
    /** What the page complains about. It asks two origins: its own, and the service. */
    complaintsOf: ({ complaints }: Person) =>
      complaints.filter((one) => !one.startsWith(`asked elsewhere: ${site.url}`)),
  }
}

/** The requests of a page whose path has a part. */
export function requestsOf({ page }: Person, part: string): string[] {
  const found: string[] = []
  page.on('request', (request) => {
    // A browser asks first whether it may ask.
    if (request.method() !== 'OPTIONS' && new URL(request.url()).pathname.includes(part))
      found.push(request.headers()['idempotency-key'] ?? request.url())
  })
  return found
}

export const part = ({ page }: Person, name = 'Conversation') =>
  page.getByRole('region', { name, exact: true })
export const texts = (person: Person, name?: string) =>
  part(person, name).locator('li span').allTextContents()
export async function write(person: Person, text: string, name?: string): Promise<void> {
  const field = part(person, name).getByRole('textbox')
  await field.fill(text)
  await field.press('Enter')
}
export const press = (person: Person, name: string, of?: string) =>
  (of ? part(person, of) : person.page).getByRole('button', { name, exact: true }).click()
