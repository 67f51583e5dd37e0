// The contact state of another wallet is cached as it was last read.

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

/** Queries the service only when the state is not known. */
export const stateOf = async (peer: string): Promise<Contact['state']> =>
  (await cache.fetchQuery(contactQuery(peer))).state
