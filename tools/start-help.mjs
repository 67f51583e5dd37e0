// This script prints what `npm start -- --help` shows, or says what is wrong with an argument (--refuse). It is plain JavaScript
// without packages, which any Node runs: it reads docs/settings.md, made from the table of settings.

import { readFileSync } from 'node:fs'
import path from 'node:path'

const page = readFileSync(path.join(import.meta.dirname, '../docs/settings.md'), 'utf8')
const row = /^\| `(\w+)` +\| (?:`([^`]*)`)? *\| (.*?) *\|$/

if (process.argv[2] === '--refuse') refuse(process.argv[3] ?? '')
else console.log(help())

function refuse(argument) {
  const name = argument.replace(/^--?/, '').replace(/=.*/, '').replaceAll('-', '_').toUpperCase()
  const known = page.split('\n').some((line) => row.exec(line)?.[1] === name)
  const example = known ? `${name}=${argument.split('=')[1] ?? '…'} npm start` : 'such as PORT=9000 npm start'
  console.error(
    `Parley could not start. It takes no argument "${argument}": settings are environment variables ` +
      `(${example}). npm start -- --help lists them.`,
  )
  process.exitCode = 2
}

function help() {
  const settings = page.split('\n').flatMap((line) => {
    if (line.startsWith('## ')) return ['', line.slice(3)]
    const [, name, fallback, meaning] = row.exec(line) ?? []
    if (!name) return []
    return [`  ${name.padEnd(23)} ${meaning.replaceAll('`', '')}${fallback ? ` (${fallback})` : ''}`]
  })
  // The page ends with what Node itself reads, which has no table.
  while (!settings.at(-1).startsWith('  ')) settings.pop()
  return `Parley: messaging where a wallet address is the identity.

Usage: npm start

Settings, by environment, such as PORT=9000 npm start. A list has commas between its values. A limit such as 300,50
is 300 at once and 50 a second after that:
${settings.join('\n')}`
}
