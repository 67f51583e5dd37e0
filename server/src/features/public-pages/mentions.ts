// A message names others behind an @. On a public page an address there is left out, and so is the name of a member of the page who
// does not show it.

import { accountOf } from '@parley/sdk/accounts.ts'

const addressed = /(?<![\p{L}\p{N}_.@])@([0-9a-z]{32,44})(?![0-9a-z])/giu

const someMember = '@member'

/** Returns a text with these names and all addresses behind an @ replaced. */
export function withoutMentions(text: string, hidden: string[]): string {
  if (!text.includes('@')) return text
  const withoutAddresses = text.replaceAll(addressed, (found, address: string) =>
    accountOf(address) ? someMember : found,
  )
  const names = hidden.filter((name) => name !== '').map((name) => RegExp.escape(name))
  if (names.length === 0) return withoutAddresses
  const named = new RegExp(`(?<![\\p{L}\\p{N}_.@])@(?:${names.join('|')})(?![\\p{L}\\p{N}_])`, 'giu')
  return withoutAddresses.replaceAll(named, someMember)
}
