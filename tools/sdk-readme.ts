// Lists the methods of the SDK in sdk/README.md, from the contract: `npm run docs:sdk`.

import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type Endpoint, paramNames } from '../sdk/src/contract/endpoint.ts'
import { contract } from '../sdk/src/contract/index.ts'
import * as slices from '../sdk/src/slices.ts'
import { tableOf } from './settings-page.ts'

export const readmeFile = path.join(import.meta.dirname, '../sdk/README.md')
const mark = '<!-- From here on made from the contract by `npm run docs:sdk`. -->\n'

const intro = `
What a method takes, beside its path values: \`body\`, and \`query\` in brackets where it may be left out. Who may call:
\`wallet\` needs the token of a wallet, \`wallet-or-admin\` that or the admin API key, \`wallet-or-anyone\` answers more with
a token, \`operator\` needs the token of an operator, \`public\` needs none. The headings are the names in
\`@parley/sdk/slices\`.
`

/** The README with its methods as the contract has them. */
export function withMethods(readme: string): string {
  const [words, methods] = readme.split(mark)
  if (words === undefined || methods === undefined) throw new Error(`sdk/README.md has no line ${mark}`)
  const byName = Object.entries(slices).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const tables = byName.map(([slice, calls]) => {
    const rows = Object.keys(calls).map((name) => rowOf(name, (contract as Record<string, Endpoint>)[name]!))
    return `### ${slice}\n\n${tableOf(['method', 'takes', 'who', 'what it does'], rows)}\n`
  })
  return [words + mark + intro, ...tables].join('\n')
}

function rowOf(name: string, { path: route, body, query, produces, access, summary }: Endpoint): string[] {
  const takes = [...paramNames(route), ...(body ? ['body'] : []), ...(query ? ['[query]'] : [])]
  const method = produces === 'text/event-stream' ? 'readEvents' : name
  return [
    `\`${method}\``,
    takes.map((input) => `\`${input}\``).join(', '),
    access,
    summary.replaceAll('|', String.raw`\|`),
  ]
}

if (import.meta.main) await writeFile(readmeFile, withMethods(await readFile(readmeFile, 'utf8')))
