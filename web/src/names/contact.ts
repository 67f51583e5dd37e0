// What the wallet that is signed in thinks of another one, as it was read last.

import type { Contact } from '@parley/sdk'
import { cache, query } from '../service/api.ts'

/** An event says when it changes. */
export const contactQuery = (peer: string) => ({
  ...query('getContact', { peer }),
  staleTime: Infinity,
  refetchOnWindowFocus: false as const,
})

export const keepContact = (contact: Contact): void =>
  void cache.setQueryData<Contact>(contactQuery(contact.peer).queryKey, contact)

/** Asks the service only where it is not known. */
export const stateOf = async (peer: string): Promise<Contact['state']> =>
  (await cache.fetchQuery(contactQuery(peer))).state
