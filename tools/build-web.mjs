// This script builds the web client when its sources have changed since the last build. It compares the list of source files with
// their sizes and times; when that differs (a checkout changes all times), it compares their content.

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const root = path.join(import.meta.dirname, '..')
const dist = path.join(root, 'web/dist')
const stampFile = path.join(dist, 'stamp.json')
const sources = [
  'web/src',
  'web/index.html',
  'web/installable.ts',
  'web/vite.config.ts',
  'web/embed.html',
  'web/vite.docs.config.ts',
  'web/vite.embed.config.ts',
  'web/vite.loader.config.ts',
  'web/build-docs.mjs',
  'web/docs-index.mjs',
  'web/docs-layout.mjs',
  'web/package.json',
  'docs',
  'sdk/README.md',
  'sdk/src',
  'sdk/package.json',
  'react/src',
  'tools/sdk-tables.ts',
  'package-lock.json',
]

try {
  await buildIfChanged()
} catch (error) {
  fail(error.message)
}

async function buildIfChanged() {
  const files = sources.flatMap(list)
  const times = files.map((file) => `${file} ${statSync(file).size} ${statSync(file).mtimeMs}`).join('\n')
  const stamp = readStamp()
  if (stamp.times === times) return
  const content = createHash('sha256')
  for (const file of files) content.update(`${path.relative(root, file)}\0`).update(readFileSync(file))
  const hash = content.digest('hex')
  if (stamp.hash === hash || (await build())) writeStamp({ times, hash })
}

/** A stamp that cannot be read is that of no build. */
function readStamp() {
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8')) ?? {}
  } catch {
    return {}
  }
}

/** Without the stamp the next start compares the content again, so a checkout that is read-only works without it. */
function writeStamp(stamp) {
  try {
    writeFileSync(stampFile, JSON.stringify(stamp))
  } catch {
    // See above.
  }
}

/**
 * Builds the client; returns true when it worked. A failure does not stop the start: the service is of use without its web
 * client.
 */
async function build() {
  console.log('Building the web client …')
  if (/[#?]/.test(root)) return fail(`Vite reads no files in a path with "#" or "?". Move ${root}.`)
  const vite = path.join(root, 'node_modules/vite/bin/vite.js')
  if (!existsSync(vite)) return fail('vite is not installed.')
  const missing = findMissing()
  if (missing) return fail(`${missing} is missing. "npm ci" installs it.`)
  // The first build empties the folder.
  for (const name of ['', 'docs.', 'embed.', 'loader.']) {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [vite, 'build', '--config', `vite.${name}config.ts`, '--logLevel', 'warn'],
      { cwd: path.join(root, 'web'), encoding: 'utf8' },
    )
    if (status !== 0) return fail(`${stdout}${stderr}`)
  }
  const { buildDocs } = await import('../web/build-docs.mjs')
  buildDocs(dist)
  await Promise.all(
    list('web/dist/assets')
      .filter((name) => /\.(js|css|svg)$/.test(name))
      .map(compress),
  )
  return true
}

/** Writes a file compressed, in the threads of the library: all files at once. */
async function compress(file) {
  const bytes = readFileSync(file)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 10 }
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(bytes, { params }),
    promisify(gzip)(bytes, { level: 9 }),
  ])
  writeFileSync(`${file}.br`, br)
  writeFileSync(`${file}.gz`, gz)
}

/** Finds a package of the client's own that is missing. Without it the build uses another version from elsewhere, or none. */
function findMissing() {
  const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'))
  return Object.keys(packages).find(
    (name) =>
      name.startsWith('web/node_modules/') &&
      !packages[name].optional &&
      !existsSync(path.join(root, name, 'package.json')),
  )
}

/** Prints the failure without the lines of a stack: the reason stands before them. */
function fail(why) {
  console.warn(`The web client could not be built: ${why.replaceAll(/^ +at .*\n?/gm, '')}`)
  return false
}

function list(from) {
  const absolute = path.resolve(root, from)
  if (!existsSync(absolute)) return []
  if (statSync(absolute).isFile()) return [absolute]
  return readdirSync(absolute)
    .toSorted()
    .flatMap((name) => list(path.join(absolute, name)))
}
