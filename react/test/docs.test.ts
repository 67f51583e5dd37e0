// The programs of docs/react.md, as they are pasted into a site.

import { readFile, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import path from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '../../testing/service/files.ts'
import { freePort } from '../../testing/service/ports.ts'
import { newWallet, startSite } from '../../testing/service/service.ts'
import { acquaint, openPerson } from '../../web/test/person.ts'
import { bundle } from './bundle.ts'

const root = path.join(import.meta.dirname, '../..')

/** Returns the programs of the page, by the name of their file. */
async function programs(): Promise<[string, string][]> {
  const text = await readFile(path.join(root, 'docs/react.md'), 'utf8')
  return Array.from(text.matchAll(/^```tsx\n\/\/ (\S+)\n([^]*?)^```/gm), ([, name, body]) => [name!, body!])
}

test('the programs of docs/react.md are a page on which a buyer and a seller talk', async () => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  await using service = await startSite({ allowedDomains: [new URL(url).host] })
  await using folder = await newFolder('react')
  await symlink(path.join(root, 'node_modules'), path.join(folder.path, 'node_modules'))
  const seller = newWallet()
  const written = await programs()
  expect(written.map(([name]) => name)).toEqual(['chat.tsx', 'inbox.tsx', 'comments.tsx'])
  const base = await service.listen()
  for (const [name, body] of written) {
    const text = body.replaceAll('http://127.0.0.1:8080', base)
    const ofTest = text.replaceAll('0x70997970c51812dc3a010c7d01b50e0d17dc79c8', seller)
    await writeFile(path.join(folder.path, name), ofTest)
  }
  const script = await bundle('chat.tsx', '19', folder.path)
  const server = createServer(({ url: asked }, response) => {
    const isScript = asked === '/chat.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    const page = '<!doctype html><div id="root"></div><script type="module" src="/chat.js"></script>'
    response.end(isScript ? script : page)
  }).listen(port, '127.0.0.1')
  try {
    await using buyer = await openPerson(url, { wallet: { flags: {} } })
    await acquaint(service, buyer.address, seller)
    const { page } = buyer
    await page.goto('/')
    await page.getByRole('button', { name: 'Sign in with your wallet' }).click()
    await page.getByRole('textbox', { name: 'Message' }).fill('Is it still there?')
    await page.keyboard.press('Enter')
    await page.getByText('You: Is it still there?', { exact: true }).waitFor()
    const asSeller = await service.as(seller)
    const pair = { fromaddr: buyer.address, toaddr: seller }
    const [asked] = await asSeller.listConversation(pair)
    expect(asked).toMatchObject({ message: 'Is it still there?', nftid: '721' })
    const about = { nftaddr: asked!.nftaddr!, nftid: '721' }
    await asSeller.sendDirectMessage({
      body: { fromaddr: seller, toaddr: buyer.address, message: 'It is.', ...about },
    })
    await page.getByText('Seller: It is.', { exact: true }).waitFor()
    // The page shows it, so it is read.
    await expect
      .poll(() => asSeller.listReadMessages({ fromaddr: seller, toaddr: buyer.address }))
      .toHaveLength(1)
    await page.getByRole('heading', { name: '0 unread' }).waitFor()
    await page
      .getByText(/: It is\.$/)
      .nth(1)
      .waitFor()
    await page.getByRole('button', { name: 'Praise it' }).click()
    await expect.poll(() => asSeller.listComments(about)).toHaveLength(1)
    await page.locator('blockquote').getByText('What a hat.').waitFor()
    await page.getByRole('button', { name: `Sign ${buyer.address} out` }).click()
    await page.getByText('What a hat.').first().waitFor({ state: 'detached' })
    expect(buyer.complaints.filter((one) => !one.startsWith(`asked elsewhere: ${base}`))).toEqual([])
  } finally {
    server.close().closeAllConnections()
  }
})
