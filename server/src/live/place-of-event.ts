// Says where an event happens, for streams that have scopes for some conversations and chats alone.

import type { ServiceEvent } from '@parley/sdk/contract/events.ts'

/** This is a conversation, by its two wallets, or a chat. */
export type EventPlace = { fromaddr: string; toaddr: string } | { nftaddr: string }

/**
 * Says which part of an event names its place: a message in it, or the event itself. Nothing names that of `nowhere`, and events of
 * the wallet alone are such. A new type of event does not compile without a decision.
 */
const named: Record<ServiceEvent['type'], 'item' | 'event' | 'nowhere' | 'everywhere'> = {
  'direct-message': 'item',
  'group-message': 'item',
  'post-removed': 'event',
  read: 'event',
  'read-to': 'event',
  deleted: 'event',
  'conversation-deleted': 'event',
  hidden: 'event',
  'conversation-hidden': 'event',
  edited: 'item',
  reacted: 'event',
  'reacted-mine': 'nowhere',
  pinned: 'event',
  unpinned: 'event',
  inbox: 'event',
  rooms: 'event',
  official: 'nowhere',
  imported: 'event',
  contact: 'nowhere',
  notice: 'nowhere',
  typing: 'event',
  // Without a `change` it says nothing of anybody.
  resync: 'everywhere',
}

const textIn = (value: object, field: string): string | undefined => {
  const text: unknown = (value as Record<string, unknown>)[field]
  return typeof text === 'string' ? text : undefined
}

/** Returns where an event happens; undefined where it concerns the wallet alone. */
export function placeOfEvent(event: ServiceEvent): EventPlace | 'everywhere' | undefined {
  const where = named[event.type]
  if (where === 'everywhere') return 'change' in event ? undefined : 'everywhere'
  const about: unknown = where === 'item' && 'item' in event ? event.item : where === 'event' ? event : null
  if (typeof about !== 'object' || about === null) return undefined
  // A direct message may name an NFT besides; what a chat has names no recipient.
  const [fromaddr, toaddr] = [textIn(about, 'fromaddr'), textIn(about, 'toaddr')]
  if (toaddr !== undefined) return fromaddr === undefined ? undefined : { fromaddr, toaddr }
  const nftaddr = textIn(about, 'nftaddr')
  return nftaddr === undefined ? undefined : { nftaddr }
}
