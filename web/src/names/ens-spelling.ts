// A name of ENS that is typed has a normal form (ENSIP-15), which may look like another name.

import { normalForm } from '@parley/sdk/normal-form.ts'

/** This is the name that is looked up; or another one that has to be confirmed first; or the reason why it is none. */
export type Spelling = { name: string } | { instead: string } | { problem: string }

export async function spellEns(typed: string): Promise<Spelling> {
  const { normalName } = await import('./normal-name.ts')
  let name: string
  try {
    name = normalName(typed)
  } catch {
    return {
      problem: `“${typed}” can’t be a name in ENS: some of its characters aren’t allowed there. Check the spelling, or paste an address (0x…).`,
    }
  }
  return looksSame(typed, name) ? { name } : { instead: name }
}

/** Returns true when somebody who typed one text sees it in the other. */
function looksSame(typed: string, name: string): boolean {
  // The selectors of emoji are not visible.
  const plain = normalForm(typed, 'NFC').replaceAll(/[\ufe0e\ufe0f]/g, '')
  if (plain === name) return true
  if (plain.toLowerCase() !== name) return false
  // A capital i among small letters is read as a small L: `aIice.eth` is not `alice.eth`.
  return !plain.includes('I') || plain === plain.toUpperCase()
}

export const askInstead = (instead: string): string =>
  `In ENS that is written “${instead}”. Look this name up if you mean it.`
