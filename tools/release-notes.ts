// This script prints the notes of a release, which are its part of CHANGELOG.md: `npm run notes`, or `npm run notes -- 0.2.0`.

import { readFileSync } from 'node:fs'

/**
 * Returns the part of a changelog below the heading of a version, `## 0.2.0 (2027-01-31)`, or below `## Unreleased`. Headings
 * move up by one level, so that the notes stand alone. Throws when the changelog has no such part, or an empty one.
 */
export function notesOf(changelog: string, version = 'Unreleased'): string {
  const parts = changelog.split(/^## /m).slice(1)
  const part = parts.find((text) => text.split(/\s/, 1)[0] === version)
  const notes = part?.slice(part.indexOf('\n')).trim().replaceAll(/^###/gm, '##')
  if (notes) return notes
  const known = parts.map((text) => text.split(/\s/, 1)[0]).join(', ')
  throw new Error(`CHANGELOG.md has no notes of ${version}. It has: ${known}.`)
}

if (import.meta.main)
  try {
    console.log(notesOf(readFileSync(new URL('../CHANGELOG.md', import.meta.url), 'utf8'), process.argv[2]))
  } catch (error) {
    console.error((error as Error).message)
    process.exitCode = 1
  }
