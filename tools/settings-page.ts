// This script makes docs/settings.md from the table of settings: `npm run docs:settings`.

import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { settings } from '../server/src/config/table.ts'

export const pageFile = path.join(import.meta.dirname, '../docs/settings.md')

const intro = `# Settings

<!-- Made from server/src/config/table.ts by \`npm run docs:settings\`. -->

All settings are environment variables, and none is needed. An empty variable counts as not set. A wrong value stops the start with a list of what is wrong and what a right value looks like. \`npm start -- --help\` prints this list.

A limit such as \`300,50\` is a token bucket: 300 at once, and 50 a second after that. [operations.md](operations.md#limits) says what counts as one caller. A list has commas between its values.

List a site that writes sign-in texts with a domain of its own in \`ALLOWED_DOMAINS\`. A port is part of the domain: \`localhost:8080\` and \`127.0.0.1:8080\` are two.

Choose the host of \`PUBLIC_URL\` before people arrive. The texts that wallets sign for encryption name it, and browsers offer passkeys at no other host. When it changes, wallets must set up encryption again and cannot open earlier encrypted messages, and an account that only a passkey opens is lost, unless the person has saved its private key. The service remembers its first host, apart from \`localhost\` and addresses of machines, and warns in its log at each start at another one.
`

const runtime = `## Memory

The service runs on Node, so \`NODE_OPTIONS\` sets what Node itself offers. To set the largest heap, in megabytes:

\`\`\`sh
NODE_OPTIONS=--max-old-space-size=2000 npm start
\`\`\`

The other options that \`npm start\` gives to Node are in [tools/v8-flags.mjs](../tools/v8-flags.mjs), with reasons.
`

/** Returns the whole page, in the form that the formatter gives it. */
export function settingsPage(): string {
  const groups = Map.groupBy(Object.values(settings), ({ section }) => section)
  const tables = [...groups].map(([heading, group]) => {
    const rows = group.map(({ name, fallback, description }) => [
      `\`${name}\``,
      fallback && `\`${fallback}\``,
      description,
    ])
    return `## ${heading}\n\n${tableOf(['variable', 'default', 'meaning'], rows)}\n`
  })
  return [intro, ...tables, runtime].join('\n')
}

/** Returns a table in Markdown, in the form that the formatter gives it. */
function tableOf(header: string[], rows: string[][]): string {
  const widths = header.map((_, i) => Math.max(...[header, ...rows].map((row) => row[i]!.length)))
  const line = (cells: string[], fill = ' ') =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i]!, fill)).join(' | ')} |`
  return [line(header), line(Array(header.length).fill(''), '-'), ...rows.map((row) => line(row))].join('\n')
}

if (import.meta.main) await writeFile(pageFile, settingsPage())
