// This script prepares a release of the SDK, of the hooks for React, of the service and of the MCP server, and says how to publish
// them: `npm run release`. It publishes nothing itself.
//
// Each package is built, checked by publint and, where it has types, by attw (whether each kind of resolution finds them), and
// installed in an empty folder, where it is loaded.

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { packMcp } from './pack-mcp.ts'
import { packReact } from './pack-react.ts'
import { packSdk } from './pack-sdk.ts'
import { packServer } from './pack-server.ts'
import { root } from './packing.ts'

const run = promisify(execFile)
const shell = process.platform === 'win32'

const packages: { pack: () => Promise<string>; beside?: () => Promise<string>; load: string[] }[] = [
  {
    pack: packSdk,
    load: [
      '--input-type=module',
      '--eval',
      `console.log(Object.keys((await import('@parley/sdk')).createClient({ baseUrl: '' })).length, 'methods')`,
    ],
  },
  {
    pack: packReact,
    // It is made for this SDK.
    beside: packSdk,
    load: [
      '--input-type=module',
      '--eval',
      `console.log(Object.keys(await import('@parley/react')).join(', '))`,
    ],
  },
  { pack: packServer, load: ['node_modules/@parley/server/tools/parley.mjs', '--version'] },
  {
    pack: packMcp,
    // It is made for this SDK.
    beside: packSdk,
    load: [
      '--input-type=module',
      '--eval',
      `console.log(typeof (await import('@modelcontextprotocol/sdk/server/mcp.js')).McpServer)`,
    ],
  },
]

/** Returns what is wrong with a packed package, for people; empty when nothing is. */
export async function problemsOf(tarball: string): Promise<string[]> {
  const bytes = new Uint8Array(await readFile(tarball))
  const { messages, pkg } = await publint({ pack: { tarball: bytes.buffer }, strict: true })
  const wrong = messages.map((message) => formatMessage(message, pkg) ?? message.code)
  if (!pkg.types) return wrong
  const attw = path.join(root, 'node_modules/@arethetypeswrong/cli/dist/index.js')
  const wrongTypes = await run(process.execPath, [attw, tarball, '--profile', 'esm-only', '--no-color']).then(
    () => [],
    ({ stdout, stderr }) => [`${stdout}${stderr}`.trim()],
  )
  return [...wrong, ...wrongTypes]
}

/** Installs tarballs in an empty folder, as a site would. */
export async function installInto(folder: string, ...tarballs: string[]): Promise<void> {
  const site = { name: 'site', private: true, type: 'module' }
  await writeFile(path.join(folder, 'package.json'), JSON.stringify(site))
  const options = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts']
  await run('npm', ['install', ...options, ...tarballs], { cwd: folder, shell })
}

/** Returns the command that publishes a package. The registry is that of npm's settings. */
export const publishCommand = (tarball: string) =>
  `npm publish ${path.relative(root, tarball)} --provenance --access public`

if (import.meta.main) {
  const tarballs: string[] = []
  for (const { pack, beside, load } of packages)
    tarballs.push(...(await prepare(await pack(), load, beside && [await beside()])))
  if (tarballs.length === packages.length) {
    for (const obstacle of await obstacles()) console.log(`Before they are published: ${obstacle}`)
    console.log(`To publish:\n\n${tarballs.map((tarball) => `  ${publishCommand(tarball)}\n`).join('')}`)
  }
}

/** Checks and loads a package. Returns its tarball, or nothing when it is not fit. */
async function prepare(tarball: string, load: string[], others: string[] = []): Promise<string[]> {
  const problems = await problemsOf(tarball)
  if (problems.length > 0) {
    console.error(problems.join('\n'))
    process.exitCode = 1
    return []
  }
  const folder = await mkdtemp(path.join(os.tmpdir(), 'parley-release-'))
  try {
    await installInto(folder, ...others, tarball)
    const { stdout } = await run(process.execPath, load, { cwd: folder })
    console.log(`Installed in an empty folder: ${stdout.trim()}`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  const bytes = await readFile(tarball)
  console.log(`${path.relative(root, tarball)}: ${bytes.length} bytes`)
  console.log(`SHA-256 ${createHash('sha256').update(bytes).digest('hex')}`)
  return [tarball]
}

/** Returns what prevents a good package from being published. */
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
