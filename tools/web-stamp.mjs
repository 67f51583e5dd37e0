// Whether the web client is built of the sources that are there. It compares the list of source files with their sizes and times;
// when that differs (a checkout changes all times), it compares their content. This is plain JavaScript that runs on Node 20.

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const stampFile = path.join(root, 'web/dist/stamp.json')
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

const sourceFiles = () => sources.flatMap(list)

/** Returns the list of sources, with sizes and times. */
export const times = () =>
  sourceFiles()
    .map((file) => {
      const { size, mtimeMs } = statSync(file)
      return `${file} ${size} ${mtimeMs}`
    })
    .join('\n')

/** True when no file has changed since the last build. */
export const isBuilt = () => readStamp().times === times()

/** Returns the hash of the content of all sources. */
export function hash() {
  const content = createHash('sha256')
  for (const file of sourceFiles())
    content.update(`${path.relative(root, file)}\0`).update(readFileSync(file))
  return content.digest('hex')
}

/** A stamp that cannot be read is that of no build. */
export function readStamp() {
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8')) ?? {}
  } catch {
    return {}
  }
}

/** Without the stamp the next start compares the content again, so a checkout that is read-only works without it. */
export function writeStamp(stamp) {
  try {
    writeFileSync(stampFile, JSON.stringify(stamp))
  } catch {
    // See above.
  }
}

/** Returns the files of a folder, or the file itself. */
export function list(from) {
  const absolute = path.resolve(root, from)
  const found = statSync(absolute, { throwIfNoEntry: false })
  if (!found) return []
  return found.isDirectory() ? filesBelow(absolute) : [absolute]
}

const filesBelow = (folder) =>
  readdirSync(folder, { withFileTypes: true })
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const file = `${folder}${path.sep}${entry.name}`
      return entry.isDirectory() ? filesBelow(file) : [file]
    })
