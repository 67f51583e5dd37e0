// This script queries the package registry for known vulnerabilities of the service's dependencies. It fails on a moderate one or
// worse. Many mirrors do not offer this: then it says so and does not fail, except with `--strict`.

import { spawnSync } from 'node:child_process'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
const { stdout } = spawnSync(npm, ['audit', '--omit=dev', '--json'], {
  cwd: dirname(dirname(fileURLToPath(import.meta.url))),
  encoding: 'utf8',
  maxBuffer: 2 ** 28,
  timeout: 60_000,
  shell: process.platform === 'win32',
})
const { vulnerabilities, message } = parse(stdout)
if (!vulnerabilities) {
  console.log(`audit: the registry did not answer (${message ?? 'no answer in a minute'}); nothing is known`)
  process.exit(process.argv.includes('--strict') ? 1 : 0)
}

const found = Object.values(vulnerabilities)
const grave = found.filter(({ severity }) => ['moderate', 'high', 'critical'].includes(severity))
for (const { name, range, severity } of grave) console.error(`${name} ${range}: ${severity}; see npm audit`)
console.log(`audit: ${grave.length} of ${found.length} known weaknesses are moderate or worse`)
if (grave.length > 0) process.exit(1)

function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
