import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import type { Page } from 'playwright-core'

// Half of `axe.source`, which every page would have to read.
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The rules whose answer depends on the theme, on sizes, or on what a small screen leaves out. */
const ofScreen = [
  'bypass',
  'color-contrast',
  'link-in-text-block',
  'scrollable-region-focusable',
  'target-size',
]
const ofScreenAndRegions = [...ofScreen, 'landmark-one-main', 'page-has-heading-one', 'region']

interface Options {
  /** What is looked at; the whole page when left out. */
  within?: string
  /** An open menu is outside of the page's regions. Only the rules beyond WCAG forbid that. */
  menuOpen?: boolean
  /** Only what depends on the theme and the size of the screen, of a page on which all was looked at before. */
  screenOnly?: boolean
}

/** The faults that axe finds in what is shown now. */
export async function faults(page: Page, options: Options = {}): Promise<string[]> {
  const { within, menuOpen = false, screenOnly = false } = options
  // Animations end first, also those that begin with the next frame, so that final colours and places are measured.
  await page.evaluate(async () => {
    // A colour that is inherited changes when that of its parent has: one transition begins after another.
    for (let frame = 0; frame < 8; frame++) {
      await new Promise((resolve) => requestAnimationFrame(resolve))
      await Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => {})))
    }
  })
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source)
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
  if (!menuOpen) tags.push('best-practice')
  const rules = menuOpen ? ofScreen : ofScreenAndRegions
  // Only texts leave the browser: axe's whole result takes longer to transfer than to compute.
  return page.evaluate(
    async ([selector, runOnly]) => {
      const { run } = (globalThis as unknown as { axe: typeof axe }).axe
      const { violations } = await run(selector ?? document, { runOnly, resultTypes: ['violations'] })
      return violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
      )
    },
    [within, screenOnly ? rules : tags] as const,
  )
}
