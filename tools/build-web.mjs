// This script builds the web client when its sources have changed since the last build.

import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { hash, list, readStamp, root, times, writeStamp } from './web-stamp.mjs'

const dist = path.join(root, 'web/dist')

try {
  await buildIfChanged()
} catch (error) {
  fail(error.message)
}

async function buildIfChanged() {
  const stamp = readStamp()
  // A source that changes while this builds is built at the next start.
  const now = times()
  if (stamp.times === now) return
  const content = hash()
  if (stamp.hash === content || (await build())) writeStamp({ times: now, hash: content })
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
