// Builds the web client when its sources have changed since the last build. It compares the list of
// source files with their sizes and times; when that differs (a checkout changes all times), it
// compares their content.

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const root = path.join(import.meta.dirname, '..')
const dist = path.join(root, 'web/dist')
const stampFile = path.join(dist, 'stamp.json')
const sources = [
  'web/src',
  'web/index.html',
  'web/installable.ts',
  'web/vite.config.ts',
  'web/vite.docs.config.ts',
  'web/build-docs.mjs',
  'web/docs-index.mjs',
  'web/docs-layout.mjs',
  'web/package.json',
  'docs',
  'sdk/README.md',
  'sdk/src',
  'package-lock.json',
]

const files = sources.flatMap(list)
const times = files.map((file) => `${file} ${statSync(file).size} ${statSync(file).mtimeMs}`).join('\n')
const stamp = existsSync(stampFile) ? JSON.parse(readFileSync(stampFile, 'utf8')) : {}
if (stamp.times !== times) {
  const content = createHash('sha256')
  for (const file of files) content.update(`${path.relative(root, file)}\0`).update(readFileSync(file))
  const hash = content.digest('hex')
  if (stamp.hash === hash || (await build())) writeFileSync(stampFile, JSON.stringify({ times, hash }))
}

/**
 * Answers whether it worked. A failure does not stop the start: the service is of use without its
 * web client.
 */
async function build() {
  console.log('Building the web client …')
  const vite = path.join(root, 'node_modules/vite/bin/vite.js')
  if (!existsSync(vite)) return fail('vite is not installed.')
  // The first empties the folder.
  for (const config of ['vite.config.ts', 'vite.docs.config.ts']) {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [vite, 'build', '--config', config, '--logLevel', 'warn'],
      { cwd: path.join(root, 'web'), encoding: 'utf8' },
    )
    if (status !== 0) return fail(`${stdout}${stderr}`)
  }
  const { buildDocs } = await import('../web/build-docs.mjs')
  buildDocs(dist)
  for (const file of list('web/dist/assets').filter((name) => /\.(js|css|svg)$/.test(name))) {
    const bytes = readFileSync(file)
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
    const quality = { [constants.BROTLI_PARAM_QUALITY]: 10 }
    writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: quality }))
  }
  return true
}

function fail(why) {
  console.warn(`The web client could not be built: ${why}`)
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
