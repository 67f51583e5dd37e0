import { existsSync } from 'node:fs'
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

/** Starts a real browser: CHROME_PATH, else the one from npm, else one that is installed. */
export async function launchBrowser(): Promise<Browser> {
  const failures: string[] = []
  if (!process.env.CHROME_PATH && process.platform === 'linux' && process.arch === 'x64')
    // Several test files may unpack it at the same time; one that is half there does not start.
    for (let attempt = 0; attempt < 4; attempt++) {
      try {
        return await chromium.launch({ executablePath: await sparticuz.executablePath(), args })
      } catch (error) {
        failures.push(String(error))
        if (!/ETXTBSY|ENOENT|EACCES|format/.test(String(error))) break
        await new Promise((resolve) => setTimeout(resolve, 1500))
      }
    }
  for (const executablePath of installed)
    if (executablePath && existsSync(executablePath)) return chromium.launch({ executablePath, args })
  throw new Error(
    `No browser starts here. Install Chrome or Chromium, or set CHROME_PATH.\n${failures.join('\n')}`,
  )
}
