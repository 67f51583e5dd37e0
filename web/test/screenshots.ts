import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'vitest'
import { startSite } from '../../testing/service.ts'
import { launchBrowser } from './browser.ts'
import { openPerson, signIn } from './person.ts'
import { fill, punks, spreadOut } from './places.ts'

const folder = path.join(import.meta.dirname, '../../docs/screenshots')
const peers = ['alice', 'carol', 'print', 'bob'].map(
  (seed) => `0x${createHash('sha256').update(seed).digest('hex').slice(0, 40)}`,
)
const screens = {
  desktop: { viewport: { width: 1200, height: 760 } },
  phone: { viewport: { width: 375, height: 740 }, hasTouch: true, isMobile: true },
}

test('pictures of the main pages', { timeout: 120_000 }, async () => {
  await mkdir(folder, { recursive: true })
  await using service = await startSite()
  const url = await service.listen()
  const browser = await launchBrowser()
  try {
    const key = `0x${'42'.repeat(32)}` as const
    const pages = {
      inbox: ['/', 'Alice'],
      conversation: [`/dm/${peers[0]}`, 'until Friday'],
      community: ['/c/gallery', 'projector'],
      comments: [`/nft/${punks}/721`, 'What a hat.'],
      settings: ['/settings', 'Turn on encryption'],
      about: ['/c/gallery/about', 'Members'],
      communities: ['/communities', 'gallery'],
      nft: [`/dm/${peers[0]}?nft=${punks}&token=721`, 'until Friday'],
      'new-community': ['/communities/new', 'Where else'],
    } as const
    for (const [screen, size] of Object.entries(screens))
      for (const colorScheme of ['light', 'dark'] as const) {
        await using me = await openPerson(browser, url, { key, colorScheme, ...size })
        const shoot = (name: string) =>
          me.page.screenshot({
            path: path.join(folder, `${name}-${screen}-${colorScheme}.png`),
            animations: 'disabled',
          })
        await me.page.goto('/')
        await me.page.getByRole('button', { name: 'Sign in with' }).waitFor()
        await shoot('sign-in')
        if (screen === 'desktop' && colorScheme === 'light') {
          await fill(service, me, peers)
          await spreadOut(service, me.address)
        }
        await signIn(me)
        for (const [name, [address, text]] of Object.entries(pages)) {
          await me.page.goto(address)
          await me.page.getByText(text).filter({ visible: true }).first().waitFor()
          // By then pictures and names are shown and receipts are sent.
          await me.page.waitForTimeout(700)
          await shoot(name)
        }
      }
  } finally {
    await browser.close()
  }
})
