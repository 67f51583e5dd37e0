import { existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import sparticuz from '@sparticuz/chromium'
import { type Browser, chromium } from 'playwright-core'

const installed = [
  process.env.CHROME_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  String.raw`C:\Program Files\Google\Chrome\Application\chrome.exe`,
]

const args = [
  '--no-sandbox',
  '--no-zygote',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--font-render-hinting=none',
]

const isFromNpm = !process.env.CHROME_PATH && process.platform === 'linux' && process.arch === 'x64'

const folder = path.join(import.meta.dirname, '../../node_modules/.cache/chromium')

/**
 * Unpacks the browser from npm below node_modules. Its default is a folder of one name for all
 * users of the machine, which only the first of them could use, and in which another could leave a
 * program. The path is read from TMPDIR before anything is awaited.
 */
function unpack(): Promise<string> {
  mkdirSync(folder, { recursive: true })
  const { TMPDIR } = process.env
  process.env.TMPDIR = folder
  try {
    return sparticuz.executablePath()
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
  }
}

/** Before all tests, which would unpack it at the same time: a file that is being written does not start. */
export async function setup(): Promise<void> {
  if (isFromNpm) await unpack()
}

/**
 * A browser that is started again where it has crashed, which Chromium does once in some thousand
 * pages: the tests of that moment fail, and a test that is tried again gets the next one.
 */
export async function launchBrowser(): Promise<Browser> {
  const first = await launch()
  const newContext = first.newContext.bind(first)
  const close = first.close.bind(first)
  let current = first
  let starting: Promise<void> | undefined
  const startAgain = async () => {
    current = await launch()
    starting = undefined
  }
  first.newContext = async (options) => {
    if (!current.isConnected()) await (starting ??= startAgain())
    return current === first ? newContext(options) : current.newContext(options)
  }
  first.close = async () => {
    if (current !== first) await current.close()
    await close()
  }
  return first
}

/** Starts a real browser: CHROME_PATH, else the one from npm, else one that is installed. */
async function launch(): Promise<Browser> {
  const failures: string[] = []
  if (isFromNpm)
    try {
      return await chromium.launch({ executablePath: await unpack(), args })
    } catch (error) {
      failures.push(String(error))
    }
  for (const executablePath of installed)
    if (executablePath && existsSync(executablePath)) return chromium.launch({ executablePath, args })
  throw new Error(
    `No browser starts here. Install Chrome or Chromium, or set CHROME_PATH.\n${failures.join('\n')}`,
  )
}
