// This script completes package-lock.json for other platforms. Run it after each `npm install` that changes the lock:
//
//     node tools/fix-lock.mjs            adds what is missing
//     node tools/fix-lock.mjs --check    changes nothing, and fails when something is missing
//
// Packages with native parts list one optional package per platform. When the registry does not answer for some of them, `npm
// install` leaves their entries out of the lock without a word, and `npm ci` then refuses it as incomplete ("Missing: … from lock
// file"), here and on every machine. An entry with the exact version and the platform is enough: npm skips it where it does not
// apply and fetches it normally where it does. The platform is read from the package's name, which is how all of them are named.

import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const systems = {
  aix: 'aix',
  android: 'android',
  darwin: 'darwin',
  freebsd: 'freebsd',
  linux: 'linux',
  linuxmusl: 'linux',
  netbsd: 'netbsd',
  openbsd: 'openbsd',
  openharmony: 'openharmony',
  sunos: 'sunos',
  win: 'win32',
  win32: 'win32',
  windows: 'win32',
}

const processors = {
  amd64: 'x64',
  arm: 'arm',
  arm64: 'arm64',
  ia32: 'ia32',
  loong64: 'loong64',
  mips64el: 'mips64el',
  ppc64: 'ppc64',
  riscv64: 'riscv64',
  s390x: 's390x',
  wasm32: 'wasm32',
  x64: 'x64',
  x86: 'ia32',
}

const file = join(dirname(dirname(fileURLToPath(import.meta.url))), 'package-lock.json')
const lock = JSON.parse(readFileSync(file, 'utf8'))
const missing = findMissing(lock.packages)

for (const [path, entry] of missing) console.log(`missing: ${path} ${entry.version}`)
if (missing.size === 0) console.log('package-lock.json is complete.')
else if (process.argv.includes('--check')) process.exitCode = 1
else {
  const entries = [...Object.entries(lock.packages), ...missing].toSorted(([a], [b]) =>
    a.localeCompare(b, 'en'),
  )
  writeFileSync(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(entries) }, null, 2)}\n`)
  console.log(`Added ${missing.size} entries to package-lock.json.`)
}

/** Returns the missing entries, by path. */
function findMissing(packages) {
  const found = new Map()
  for (const [path, dependent] of Object.entries(packages)) {
    for (const [name, range] of Object.entries(dependent.optionalDependencies ?? {})) {
      if (isListed(packages, path, name)) continue
      const platform = readPlatform(name)
      if (!platform) console.warn(`${name} is missing, and its platform cannot be read from its name`)
      else found.set(`node_modules/${name}`, describe(range, platform, dependent.dev))
    }
  }
  return found
}

/** Returns true when `path` finds the package in its own node_modules or in one above it. */
function isListed(packages, path, name) {
  if (packages[`${path ? `${path}/` : ''}node_modules/${name}`]) return true
  if (!path) return false
  const above = path.lastIndexOf('/node_modules/')
  return isListed(packages, above < 0 ? '' : path.slice(0, above), name)
}

function readPlatform(name) {
  const words = name.split('/').at(-1).split(/[-.]/)
  const os = words.map((word) => systems[word]).find(Boolean)
  const cpu = words.map((word) => processors[word]).find(Boolean) ?? (/eabi/.test(name) ? 'arm' : undefined)
  if (!os && !cpu) return undefined
  const libc = words.some((word) => word.includes('musl'))
    ? 'musl'
    : words.includes('gnu')
      ? 'glibc'
      : undefined
  // WebAssembly builds have a processor and no system; npm installs them only when that processor is requested.
  return { ...(cpu && { cpu: [cpu] }), ...(libc && { libc: [libc] }), ...(os && { os: [os] }) }
}

function describe(range, { cpu, libc, os }, dev) {
  const version = range.replace(/^[\^~]/, '')
  return {
    version,
    ...(cpu && { cpu }),
    ...(dev && { dev }),
    ...(libc && { libc }),
    optional: true,
    ...(os && { os }),
  }
}
