// The signed-in wallet gives others names, which are shown in place of theirs.

import type { Contact } from '@parley/sdk'
import { useQuery } from '@tanstack/react-query'
import { cache } from '../service/api.ts'
import { currentAccount } from '../service/session.ts'
import { chosenQuery } from './chosen.ts'

/** The keys are addresses. */
export type Aliases = ReadonlyMap<string, string>

const none: Aliases = new Map()
const known = new WeakMap<Contact[], Aliases>()

function aliasesOf(contacts: Contact[]): Aliases {
  const found =
    known.get(contacts) ?? new Map(contacts.flatMap(({ peer, alias }) => (alias ? [[peer, alias]] : [])))
  known.set(contacts, found)
  return found
}

export const useAliases = (): Aliases =>
  useQuery({ ...chosenQuery, enabled: currentAccount() !== null, select: aliasesOf }).data ?? none

/** Returns the names that were already read. */
export function knownAliases(): Aliases {
  const contacts = cache.getQueryData(chosenQuery.queryKey)
  return contacts ? aliasesOf(contacts) : none
}

/** Stores a contact that was named here, before the service's event comes. */
export function keepAlias(contact: Contact): void {
  cache.setQueryData(chosenQuery.queryKey, (before = []) => [
    ...before.filter(({ peer }) => peer !== contact.peer),
    contact,
  ])
}
