// These tests cover what `npm start` does before the service: it runs in any folder, needs no right to write to a checkout that
// is complete, and says in a sentence what is wrong with one that is not.

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { isBuiltin } from 'node:module'
import path from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '../testing/service/files.ts'

const root = path.join(import.meta.dirname, '..')
const isRoot = process.getuid?.() === 0

const tools = [
  'start.sh',
  'start-help.mjs',
  'prepare-start.mjs',
  'ensure-installed.mjs',
  'web-stamp.mjs',
  'build-web.mjs',
  'v8-flags.mjs',
]

/** Makes a checkout of these tools and of the files given, by their path. */
async function checkout(files: Record<string, string>, name = 'parley') {
  const folder = await newFolder('prepare')
  const at = path.join(folder.path, name)
  for (const file of tools) cpSync(path.join(root, 'tools', file), path.join(at, 'tools', file))
  const settings = readFileSync(path.join(root, 'docs/settings.md'), 'utf8')
  for (const [file, text] of Object.entries({ 'docs/settings.md': settings, ...files })) {
    mkdirSync(path.dirname(path.join(at, file)), { recursive: true })
    writeFileSync(path.join(at, file), text)
  }
  const run = (command: string, args: string[], options: { env?: object; uid?: number } = {}) =>
    spawnSync(command, args, {
      cwd: '/',
      encoding: 'utf8',
      ...options,
      env: { ...process.env, npm_lifecycle_event: 'start', ...options.env },
    })
  const tool = (file: string) => path.join(at, 'tools', file)
  return { at, run, tool, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() }
}

test.each(['plain', 'cost $x', `it's "a" \`b\``, 'a;b&c', '#1 ?%20', '-é名', 'new\nline'])(
  'start.sh runs below %j from another folder',
  async (name) => {
    await using made = await checkout({}, name)
    const { status, stdout } = made.run('sh', [made.tool('start.sh'), '--help'], { env: { CDPATH: '/usr' } })
    expect(status).toBe(0)
    expect(stdout).toContain('port to listen on (8080)')
  },
)

test.each(['back\\slash', 'a*b'])('start.sh says that Node cannot run below %j', async (name) => {
  await using made = await checkout({}, name)
  const { status, stderr } = made.run('sh', [made.tool('start.sh')])
  expect(status).toBe(1)
  expect(stderr.trim()).toMatch(/^Parley could not start\. Node loads no modules from .* move .*\.$/)
  expect(stderr).toContain(name)
})

test('a folder that PATH cannot name is refused, with the reason, before anything is installed', async () => {
  await using made = await checkout({}, 'a:b')
  const { status, stderr } = made.run('sh', [made.tool('start.sh')])
  expect(status).toBe(1)
  expect(stderr.trim()).toMatch(/^Parley cannot run in .*a:b: PATH, .*\.$/)
})

const locked = (...names: string[]) =>
  JSON.stringify({ packages: Object.fromEntries(names.map((name) => [name, { version: '1.0.0' }])) })

/** This stands in for npm: it makes the packages of the lock file, and records its arguments. */
const npm = `
  const { appendFileSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs')
  for (const name of Object.keys(JSON.parse(readFileSync('package-lock.json', 'utf8')).packages)) {
    mkdirSync(name, { recursive: true })
    writeFileSync(name + '/package.json', '{}')
  }
  writeFileSync('node_modules/.package-lock.json', readFileSync('package-lock.json'))
  appendFileSync('commands', process.argv.filter((one) => /^(ci|install|--no-save|--.*dev)$/.test(one)).join(' ') + '\\n')`

test.each(['web', 'server', 'sdk/deep'])(
  'a package of %s alone that is gone is installed',
  async (workspace) => {
    const inside = `${workspace}/node_modules/own`
    const lock = locked('node_modules/shared', inside)
    await using made = await checkout({
      'package-lock.json': lock,
      'node_modules/.package-lock.json': lock,
      'node_modules/shared/package.json': '{}',
      'npm/npm-cli.js': npm,
    })
    const env = { npm_execpath: path.join(made.at, 'npm/npm-cli.js'), npm_node_execpath: process.execPath }
    const first = made.run(process.execPath, [made.tool('ensure-installed.mjs')], { env })
    expect(first).toMatchObject({ status: 0, stderr: '' })
    expect(first.stdout).toBe(
      `Installing the packages, which can take a minute (needed once: ${inside} is missing) …\n`,
    )
    expect(existsSync(path.join(made.at, inside, 'package.json'))).toBe(true)
    const second = made.run(process.execPath, [made.tool('ensure-installed.mjs')], { env })
    expect(second).toMatchObject({ status: 0, stdout: '' })
  },
)

test('npm start installs nothing for development, which is added later, and stays where it is', async () => {
  const product = { 'node_modules/shared': { version: '1.0.0' } }
  const lock = JSON.stringify({
    packages: { ...product, 'node_modules/linter': { version: '1.0.0', dev: true } },
  })
  await using made = await checkout({ 'package-lock.json': lock, 'npm/npm-cli.js': npm })
  const write = (file: string, packages: object) =>
    writeFileSync(path.join(made.at, file), JSON.stringify({ packages }))
  const after = (npm_lifecycle_event: string) => {
    const npm_execpath = path.join(made.at, 'npm/npm-cli.js')
    const env = { npm_execpath, npm_node_execpath: process.execPath, npm_lifecycle_event }
    const { status } = made.run(process.execPath, [made.tool('ensure-installed.mjs')], { env })
    expect(status).toBe(0)
    return readFileSync(path.join(made.at, 'commands'), 'utf8').trim().split('\n')
  }
  const first = 'ci --omit=dev'
  expect(after('start')).toEqual([first])
  write('node_modules/.package-lock.json', product)
  for (const event of ['start', 'predev', 'predemo', 'preparley']) expect(after(event)).toEqual([first])
  const added = 'install --no-save --include=dev'
  expect(after('pretest')).toEqual([first, added])
  // A newer release of the product: what a developer has for development stays.
  write('package-lock.json', { ...JSON.parse(lock).packages, 'node_modules/shared': { version: '2.0.0' } })
  expect(after('start')).toEqual([first, added, 'ci --include=dev'])
})

/** Matches an import of a package, with its name. */
const importOf =
  /(?:^(?:import|export|\}) (?!type )(?:[^'\n]* from )?|^@import |\bimport\()'((?:@[\w-]+\/)?[\w-][\w.-]*)[/']/gm

test('what the service and the build of its client import is no package of development', () => {
  const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean }>
  }
  const isCode = (file: string) => /\.(tsx?|mjs|css)$/.test(file) && !/\.test\.|\.d\.ts$|^test\//.test(file)
  const isDevelopment = (workspace: string, name: string) => {
    const found = packages[`${workspace}/node_modules/${name}`] ?? packages[`node_modules/${name}`]
    return found === undefined || found.dev === true || found.devOptional === true
  }
  const imported = (['server/src', 'sdk/src', 'mcp/src', 'web/src', 'web'] as const).flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: folder.endsWith('src') })
      .map(String)
      .filter(isCode)
      .flatMap((file) => {
        const text = readFileSync(path.join(root, folder, file), 'utf8')
        return [...text.matchAll(importOf)].map(([, name]) => ({
          file: `${folder}/${file}`,
          workspace: folder.split('/')[0]!,
          name: name!,
        }))
      }),
  )
  const names = new Set(imported.map(({ name }) => name))
  for (const known of ['vite', 'marked', 'tailwindcss', 'fastify', 'pg']) expect([...names]).toContain(known)
  const wrong = imported.filter(({ workspace, name }) => isDevelopment(workspace, name) && !isBuiltin(name))
  expect(wrong).toEqual([])
})

test.each([
  ['throws', `export function buildDocs() { throw new TypeError('Marked is not a constructor') }`],
  ['does not load', `import { Marked } from 'marked'\nexport const buildDocs = () => new Marked()`],
])('a build of the docs that %s leaves a start without the client, and no stack', async (_, docs) => {
  const files = { 'node_modules/vite/bin/vite.js': '', 'package-lock.json': locked() }
  await using made = await checkout({ ...files, 'web/build-docs.mjs': docs })
  const { status, stderr } = made.run(process.execPath, [made.tool('build-web.mjs')])
  expect(status).toBe(0)
  expect(stderr).toMatch(/^The web client could not be built: /)
  expect(stderr).not.toMatch(/^\s+at /m)
})

test('a package of the client that is gone is named, and what was built stays', async () => {
  const vite = `import { rmSync } from 'node:fs'\nrmSync('dist', { recursive: true })`
  await using made = await checkout({
    'package-lock.json': locked('web/node_modules/own'),
    'node_modules/vite/bin/vite.js': vite,
    'web/dist/index.html': 'page',
  })
  const { status, stderr } = made.run(process.execPath, [made.tool('build-web.mjs')])
  expect(status).toBe(0)
  expect(stderr.trim()).toBe(
    'The web client could not be built: web/node_modules/own is missing. "npm ci" installs it.',
  )
  expect(existsSync(path.join(made.at, 'web/dist/index.html'))).toBe(true)
})

test('a checkout that is built and read-only is left as it is', async () => {
  const source = 'web/index.html'
  const settings = readFileSync(path.join(root, 'docs/settings.md'))
  const content = createHash('sha256').update(`${source}\0`).update('page').update('docs/settings.md\0')
  const stamp = JSON.stringify({ times: 'of another path', hash: content.update(settings).digest('hex') })
  await using made = await checkout({ [source]: 'page', 'web/dist/stamp.json': stamp })
  const file = path.join(made.at, 'web/dist/stamp.json')
  chmodSync(file, 0o444)
  chmodSync(path.dirname(file), 0o555)
  chmodSync(path.dirname(made.at), 0o755)
  // Root may write wherever the file system can.
  if (isRoot) chownSync(file, 0, 0)
  const options = isRoot ? { uid: 65_534 } : {}
  const result = made.run(process.execPath, [made.tool('build-web.mjs')], options)
  chmodSync(path.dirname(file), 0o755)
  expect(result).toMatchObject({ status: 0, stdout: '', stderr: '' })
  expect(readFileSync(file, 'utf8')).toBe(stamp)
})

test('a stamp that was cut short counts as none', async () => {
  await using made = await checkout({ 'web/dist/stamp.json': '{"times":' })
  const { status, stderr } = made.run(process.execPath, [made.tool('build-web.mjs')])
  expect(status).toBe(0)
  expect(stderr.trim()).toBe('The web client could not be built: vite is not installed.')
})
