// This script writes the software bill of materials (CycloneDX) of all packages to dist/sbom.cdx.json, and checks their licences.
// It is read from package-lock.json, so it needs no network and is the same on every machine.

import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const file = join('dist', 'sbom.cdx.json')
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
const args = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only']
const { status, stdout, stderr } = spawnSync(npm, args, {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 2 ** 28,
  shell: process.platform === 'win32',
})
if (status !== 0) {
  console.error(`The bill of materials could not be made: ${stderr.trim()}`)
  process.exit(1)
}

const { components } = JSON.parse(stdout)
mkdirSync(join(root, 'dist'), { recursive: true })
writeFileSync(join(root, file), stdout)
console.log(`${file}: ${components.length} packages`)

// The terms of any other licence must be read before a package is used.
const permitted =
  /^(0BSD|Apache-2\.0|BlueOak-1\.0\.0|BSD-[23]-Clause|CC0-1\.0|CC-BY-4\.0|ISC|LGPL-3\.0-or-later|MIT|MIT-0|MPL-2\.0|OFL-1\.1|Python-2\.0|Unlicense|Zlib)$/
const licensesOf = ({ licenses = [] }) =>
  licenses.flatMap(({ license, expression }) =>
    (expression ?? license.id ?? license.name).split(/ (?:AND|OR) |[()]/),
  )
const others = components.filter((component) =>
  licensesOf(component).some((license) => license && !permitted.test(license)),
)
for (const component of others)
  console.error(`${component.name} ${component.version} is under ${licensesOf(component).join(', ')}`)
if (others.length > 0) process.exitCode = 1
