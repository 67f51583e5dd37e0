// How a chat looks: names in the hue of their seals, code, long links, and what cannot become markup.

import { expect, test } from 'vitest'
import { newWallet } from '../../testing/service/service.ts'
import { faults } from './axe.ts'
import { arrive, openPerson } from './person.ts'
import { useSite } from './site.ts'

const site = useSite()

test.each(['light', 'dark'] as const)(
  'in a %s chat names have the hues of their seals, and code and long links are readable',
  async (colorScheme) => {
    const community = `looks-${colorScheme}`
    await (await site.service.as(newWallet())).createCommunity({ body: { community } })
    const long = `https://example.org/a/path?${'parameter=value&'.repeat(12)}end=1`
    const texts = [
      'run `npm start` first',
      '```ts\nconst a = 1\n```',
      'this is **important**, and 2 ** 3 is not',
      long,
      '`<img src=x onerror=alert(1)>` <b>no</b>',
      ...Array.from({ length: 7 }, (_, index) => `gm ${index}`),
    ]
    for (const message of texts) {
      const author = newWallet()
      const client = await site.service.as(author)
      await client.joinChat({ body: { walletaddr: author, nftaddr: community } })
      await client.postGroupMessage({ body: { fromaddr: author, nftaddr: community, message } })
    }
    await using alice = await openPerson(site.url, { colorScheme })
    await (
      await site.service.as(alice.address)
    ).joinChat({ body: { walletaddr: alice.address, nftaddr: community } })
    await arrive(alice, `/c/${community}`)
    const { page, complaints } = alice
    const log = page.getByRole('log')
    await log.getByText('gm 6').waitFor()
    expect(await log.locator('code').allInnerTexts()).toEqual([
      'npm start',
      'const a = 1',
      '<img src=x onerror=alert(1)>',
    ])
    expect(await log.locator('strong').allInnerTexts()).toEqual(['important'])
    await log.getByText('and 2 ** 3 is not').waitFor()
    expect(await log.locator('b, img[src=x]').count()).toBe(0)
    const link = log.getByRole('link')
    expect(await link.getAttribute('href')).toBe(long)
    expect((await link.innerText()).length).toBeLessThan(60)
    expect(await link.innerText()).toMatch(/^https:\/\/example\.org\/a\/path.*….*end=1$/)
    const colours = await log
      .locator('.text-author')
      .evaluateAll((names) => names.map((name) => getComputedStyle(name).color))
    expect(colours.length).toBeGreaterThan(8)
    expect(new Set(colours).size).toBeGreaterThan(4)
    expect(await faults(page, { screenOnly: true })).toEqual([])
    expect(complaints).toEqual([])
  },
)

test('characters that reverse a text or hide one are marks in what people read, and others are as they were sent', async () => {
  const [community, author] = [`hidden-${newWallet().slice(2, 10)}`, newWallet()]
  const client = await site.service.as(author)
  await client.createCommunity({ body: { community } })
  const plain = 'soft\u00adhyphen می‌خواهم \u200f👨‍👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿 end'
  for (const message of [
    plain,
    'pay \u202e0001\u202c now \u{e0041}\u{e0042}',
    'see https://shop.example/\u2066moc.live and **this**',
    `many ${'\u202e'.repeat(60)}done`,
  ])
    await client.postGroupMessage({ body: { fromaddr: author, nftaddr: community, message } })
  await using alice = await openPerson(site.url)
  const asAlice = await site.service.as(alice.address)
  await asAlice.joinChat({ body: { walletaddr: alice.address, nftaddr: community } })
  await arrive(alice, `/c/${community}`)
  const log = alice.page.getByRole('log')
  const shown = (part: string) =>
    log.getByRole('article').filter({ hasText: part }).locator('[id$=-text] > div').first()
  await log.getByText('done').waitFor()
  expect(await shown('hyphen').textContent()).toBe(plain)
  const [reverse, back, tags] = ['U+202E', 'U+202C', 'U+E0041'].map((code) => `hidden character ${code}`)
  expect(await shown('pay').textContent()).toBe(
    `pay ${reverse}0001${back} now ${tags}hidden character U+E0042`,
  )
  expect(await log.getByRole('link').getAttribute('href')).toBe('https://shop.example/')
  expect(await shown('shop').textContent()).toContain('hidden character U+2066moc.live and this')
  expect(await shown('many').getByText('hidden character U+202E', { exact: true }).count()).toBe(50)
  expect(alice.complaints).toEqual([])
})
