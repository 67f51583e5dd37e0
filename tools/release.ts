// Prepares a release of the SDK, and says how to publish it: `npm run release`. It publishes nothing itself.
//
// The package is built, checked by publint and attw (whether each kind of resolution finds its types), and installed
// in an empty folder, where it is loaded.

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { packSdk } from './pack-sdk.ts'

const root = path.join(import.meta.dirname, '..')
const run = promisify(execFile)
const shell = process.platform === 'win32'

/** What is wrong with a packed package, for people; empty when nothing is. */
export async function problemsOf(tarball: string): Promise<string[]> {
  const bytes = new Uint8Array(await readFile(tarball))
  const { messages, pkg } = await publint({ pack: { tarball: bytes.buffer }, strict: true })
  const attw = path.join(root, 'node_modules/@arethetypeswrong/cli/dist/index.js')
  const wrongTypes = await run(process.execPath, [attw, tarball, '--profile', 'esm-only', '--no-color']).then(
    () => [],
    ({ stdout, stderr }) => [`${stdout}${stderr}`.trim()],
  )
  return [...messages.map((message) => formatMessage(message, pkg) ?? message.code), ...wrongTypes]
}

/** Installs a tarball in an empty folder, as a site would. */
export async function installInto(folder: string, tarball: string): Promise<void> {
  const site = { name: 'site', private: true, type: 'module' }
  await writeFile(path.join(folder, 'package.json'), JSON.stringify(site))
  const options = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts']
  await run('npm', ['install', ...options, tarball], { cwd: folder, shell })
}

/** The command that publishes a package. The registry is that of npm's settings. */
export const publishCommand = (tarball: string) =>
  `npm publish ${path.relative(root, tarball)} --provenance --access public`

if (import.meta.main) await prepare()

async function prepare() {
  const tarball = await packSdk()
  const problems = await problemsOf(tarball)
  if (problems.length > 0) {
    console.error(problems.join('\n'))
    process.exitCode = 1
    return
  }
  const folder = await mkdtemp(path.join(os.tmpdir(), 'parley-release-'))
  try {
    await installInto(folder, tarball)
    const load = `console.log(Object.keys((await import('@parley/sdk')).createClient({ baseUrl: '' })).length)`
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', load], { cwd: folder })
    console.log(`Installed in an empty folder: ${stdout.trim()} methods`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  const bytes = await readFile(tarball)
  console.log(`${path.relative(root, tarball)}: ${bytes.length} bytes`)
  console.log(`SHA-256 ${createHash('sha256').update(bytes).digest('hex')}`)
  for (const obstacle of await obstacles()) console.log(`Before it is published: ${obstacle}`)
  console.log(`To publish:\n\n  ${publishCommand(tarball)}\n`)
}

/** What keeps a good package from being published. */
async function obstacles(): Promise<string[]> {
  const { repository } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'))
  const changes = await run('git', ['status', '--porcelain'], { cwd: root }).then(
    ({ stdout }) => stdout,
    () => '',
  )
  return [
    ...(repository ? [] : ['package.json names no "repository", which npm compares with the provenance.']),
    ...(changes ? ['there are changes that are not committed.'] : []),
  ]
}
