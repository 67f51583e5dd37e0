// When the wallet has decided about another one, on this device or another, the caches change here.

import type { Contact, ContactUpdate } from '@parley/sdk'
import { placeRow, readInboxAgain, readRequestsAgain, rowOf } from '../inbox/cache.ts'
import { forgetPeer } from '../device-store/forget.ts'
import { keepAlias } from '../names/aliases.ts'
import { cache, client } from '../service/api.ts'
import { describeError } from '../service/describe-error.ts'
import { useMe } from '../service/session.ts'
import { showNotice } from '../state/notice.ts'
import { contactQuery, keepContact } from '../names/contact.ts'

interface Changed {
  peer: string
  state: Contact['state']
  muted_until: string | null
}

/** Moves the row of a peer in or out of the inbox. */
function contactChanged({ peer, state, muted_until }: Changed, me: string): void {
  const place = { context_type: 'dm', addr: peer }
  readRequestsAgain()
  if (state !== 'accepted') {
    forgetPeer(peer)
    return placeRow(place, me, () => undefined)
  }
  if (!rowOf(place, me)) return readInboxAgain()
  placeRow(place, me, (row) => {
    const { muted_until: _before, ...rest } = row
    return { ...rest, state, ...(muted_until !== null && { muted_until }) }
  })
}

/** Handles an event of a decision; it does not have the name, which may have changed. */
export function contactEvent(changed: Changed, me: string): void {
  const { queryKey } = contactQuery(changed.peer)
  cache.setQueryData<Contact>(queryKey, (known) => known && { ...known, state: changed.state })
  void cache.invalidateQueries({ queryKey })
  void cache.invalidateQueries({ queryKey: ['listContacts'] })
  contactChanged(changed, me)
}

/** Sends the service the wallet's decision about another. Throws an error with a text to show when that fails. */
export async function setContact(me: string, peer: string, body: ContactUpdate): Promise<void> {
  const contact = await client.setContact({ peer, body })
  keepContact(contact)
  if (body.alias !== undefined) keepAlias(contact)
  void cache.invalidateQueries({ queryKey: ['listContacts'] })
  contactChanged({ peer, state: contact.state, muted_until: contact.muted_until ?? null }, me)
}

/** Does the same for a button: it shows a failure. Returns true when it was done. */
export async function tryContact(me: string, peer: string, body: ContactUpdate): Promise<boolean> {
  try {
    await setContact(me, peer, body)
    return true
  } catch (error) {
    showNotice(describeError(error))
    return false
  }
}

/** Returns that function for the wallet that is signed in. */
export function useSetContact(peer: string): (body: ContactUpdate) => Promise<boolean> {
  const me = useMe()
  return (body) => tryContact(me, peer, body)
}
