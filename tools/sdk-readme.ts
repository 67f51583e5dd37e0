// This script lists the methods of the SDK in sdk/README.md, from the contract: `npm run docs:sdk`.

import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type Endpoint, paramNames } from '../sdk/src/contract/endpoint.ts'
import { contract } from '../sdk/src/contract/index.ts'
import * as features from '../sdk/src/contract/features.ts'

export const readmeFile = path.join(import.meta.dirname, '../sdk/README.md')
const mark = '<!-- From here on made from the contract by `npm run docs:sdk`. -->\n'

const intro = `
Each method with the values that it takes: those of the path, \`body\` and \`query\`. It needs the
token of a wallet, unless its line ends with another caller: \`wallet-or-admin\` is that or the admin API key,
\`wallet-or-anyone\` returns more with a token, \`operator\` needs the token of an operator, \`public\` needs none. The
headings are the names in \`@parley/sdk/slices\`.
`

/** Returns the README with its methods as the contract has them. */
export function withMethods(readme: string): string {
  const [words, methods] = readme.split(mark)
  if (words === undefined || methods === undefined) throw new Error(`sdk/README.md has no line ${mark}`)
  const byName = Object.entries(features).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const lists = byName.map(([slice, calls]) => {
    const lines = Object.keys(calls).map((name) =>
      lineOf(name, (contract as Record<string, Endpoint>)[name]!),
    )
    return `### ${slice}\n\n${lines.join('\n')}\n`
  })
  return [words + mark + intro, ...lists].join('\n')
}

function lineOf(name: string, { path: route, body, query, produces, access, summary }: Endpoint): string {
  const takes = [...paramNames(route), ...(body ? ['body'] : []), ...(query ? ['query?'] : [])]
  const method = produces === 'text/event-stream' ? 'readEvents' : name
  return `- \`${method}(${takes.length > 0 ? `{${takes.join(', ')}}` : ''})\`: ${summary}${access === 'wallet' ? '' : ` (\`${access}\`)`}`
}

if (import.meta.main) await writeFile(readmeFile, withMethods(await readFile(readmeFile, 'utf8')))
