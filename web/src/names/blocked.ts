import type { Contact } from '@parley/sdk'
import { useQuery } from '@tanstack/react-query'
import { chosenQuery } from './chosen.ts'

const none: ReadonlySet<string> = new Set()
const known = new WeakMap<Contact[], ReadonlySet<string>>()

function blockedOf(contacts: Contact[]): ReadonlySet<string> {
  const found =
    known.get(contacts) ?? new Set(contacts.flatMap(({ peer, state }) => (state === 'blocked' ? [peer] : [])))
  known.set(contacts, found)
  return found
}

/** Returns the wallets that the reader has blocked. */
export const useBlocked = (): ReadonlySet<string> =>
  useQuery({ ...chosenQuery, select: blockedOf }).data ?? none
