// This is apart from what reads chains, whose library a start does without.

import { withoutUnseen } from '@parley/sdk/unseen.ts'

/**
 * Cleans a name from a contract or its metadata, which anybody may write: it removes characters that are not visible and have no
 * place there, and those that no font has; at most 100 others stay.
 */
export function cleanName(name: string): string {
  const seen = Array.from(withoutUnseen(name.slice(0, 1000).replace(nowhere, ''))).slice(0, 100)
  // An emoji that was cut may have left a joiner.
  return withoutUnseen(seen.join('')).trim()
}

/** These are controls, private use, and characters that are not assigned or half of one. */
const nowhere = /[\p{Cc}\p{Co}\p{Cn}\p{Cs}]/gu
