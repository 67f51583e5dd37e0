import type { ChatItem, ServiceEvent } from '@parley/sdk'
import { edited, mapped, none } from './changes.ts'
import type { Nft } from './places.ts'
import { type Change, withItems } from './thread.ts'

interface Place {
  me: string
  peer: string
  nft: Nft | undefined
}

/** Returns what an event changes in a conversation. */
export function changeOf(event: ServiceEvent, { me, peer, nft }: Place): Change<ChatItem> | undefined {
  const isHere = (one: { fromaddr: string; toaddr: string }) =>
    (one.fromaddr === me && one.toaddr === peer) || (one.fromaddr === peer && one.toaddr === me)
  const isAbout = (one: Partial<Nft>) => !nft || (one.nftaddr === nft.nftaddr && one.nftid === nft.nftid)
  switch (event.type) {
    case 'direct-message': {
      const { item } = event
      return isHere(item) && isAbout(item) ? withItems([item]) : none
    }
    case 'edited':
      return mapped((old) => ('toaddr' in event.item && old.id === event.id ? edited(old, event.item) : old))
    case 'deleted':
    case 'hidden':
      return without(({ id }) => id === event.id)
    case 'conversation-deleted':
      return isHere(event) ? without(({ id }) => id > (event.after ?? 0)) : none
    case 'conversation-hidden':
      return isHere(event) ? without(() => true) : none
    case 'read':
      return mapped((old) => (old.id === event.id ? { ...old, read: event.read } : old))
    case 'read-to':
      return mapped((old) =>
        old.fromaddr === event.fromaddr &&
        old.toaddr === event.toaddr &&
        old.id <= event.id &&
        old.id > (event.after ?? 0) &&
        (event.nftaddr === undefined || (old.nftaddr === event.nftaddr && old.nftid === event.nftid))
          ? { ...old, read: true }
          : old,
      )
    case 'reacted':
    case 'reacted-mine':
    case 'pinned':
    case 'unpinned':
      return undefined
    default:
      return none
  }
}

type SentItem = Parameters<Change<ChatItem>>[0][number]

const without =
  (isGone: (item: SentItem) => boolean): Change<ChatItem> =>
  (items) =>
    items.some(isGone) ? items.filter((item) => !isGone(item)) : items
