// The example shop on the site of the tests, and its tokens on a chain of the tests.

import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Chain } from '../../testing/chains/chain.ts'
import type { useHost } from './host-page.ts'
import type { Person } from './person.ts'

const folder = path.join(import.meta.dirname, '../../examples/shop')
const types: Record<string, string> = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
}

/** Makes the tokens of the shop, each of which a wallet has; one that has none does not exist. */
export async function mint(chain: Chain, owners: string[]): Promise<string> {
  const hats = await chain.deploy('Tokens.sol', 'Hats', ['Harbour'])
  for (const [at, to] of owners.entries())
    await chain.write(hats, 'mint', [to === 'a market' ? hats.address : to, at + 1])
  return hats.address
}

/** Serves the folder as it is, but for what its README says to change, and with the wallet of the visitor. Returns its address. */
export function serveShop(host: ReturnType<typeof useHost>, contract: string, visitor: Person): string {
  const wallet = host.addWallet(visitor)
  for (const name of readdirSync(folder)) {
    const type = types[path.extname(name)]
    if (!type) continue
    const text = readFileSync(path.join(folder, name), 'utf8')
      .replace('http://127.0.0.1:8080/embed.js', `${host.url}/embed.js`)
      .replace(/data-contract="\w+"/, `data-contract="${contract}"`)
      .replace(/<head>/, `<head><script src="${wallet}"></script>`)
    host.put(`/shop/${name}`, text, type)
  }
  return `${host.origin}/shop/index.html`
}

/** The card of a print. */
export const printOf = ({ page }: Person, name: string) =>
  page.getByRole('article').filter({ has: page.getByRole('heading', { name }) })
