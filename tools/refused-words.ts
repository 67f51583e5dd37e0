// This is the one list of words that nobody has to read: the table in CONTRIBUTING.md.

import { readFileSync } from 'node:fs'
import path from 'node:path'

/** Matches a refused word: in the client and in errors, or those that documents do not have either. */
export function refusedWords({ inDocuments }: { inDocuments: boolean }): RegExp {
  const page = readFileSync(path.join(import.meta.dirname, '../CONTRIBUTING.md'), 'utf8')
  const table = page.split('### Words that nobody has to read')[1]!.split('\n#')[0]!
  const rows = [...table.matchAll(/^\| `([^`]+)`\s*\| (everywhere|texts)/gm)]
  const words = rows.filter(([, , where]) => !inDocuments || where === 'everywhere').map(([, word]) => word)
  if (words.length < 3) throw new Error('The table of refused words in CONTRIBUTING.md cannot be read')
  return new RegExp(`\\b(?:${words.join('|')})\\b`, 'i')
}
