// This wallet knows its conversations, or the chats that it has joined, only from the event stream.

import type { ChatItem, Client, GroupChatItem, ServiceEvent } from '@parley/sdk'
import { listenTo } from '../../testing/service/event-listener.ts'
import type { Service } from '../../testing/service/service.ts'
import { countsOf, type Shown } from './marks.ts'
import type { View } from './state.ts'

type TextOf = (id: number) => string
type Item = ChatItem | GroupChatItem

/** Makes an item of a list into what the model has of it; `textOf` has the first text of each message. */
export const shownOf = ({ message, revision, reactions, pinned, reply_to }: Item, textOf: TextOf): Shown => ({
  text: message,
  ...(revision !== undefined && { revision }),
  ...(reactions && { reactions }),
  ...(pinned && { pinned }),
  ...(reply_to !== undefined && { reply: textOf(reply_to) }),
})

/** This is a message as a client stores it. Of a conversation it knows who has reacted with what. */
interface Known {
  item: Item
  reacted: Map<string, string[]>
}

/** In a conversation a reaction is the wallet's own or the peer's. */
function knownOf(item: ChatItem, wallet: string): Known {
  const { fromaddr, toaddr, reactions = [] } = item
  const ofPeer = reactions.filter(({ count, mine }) => count > (mine ? 1 : 0))
  const own = reactions.filter(({ mine }) => mine)
  const peer = fromaddr === wallet ? toaddr : fromaddr
  const reacted = new Map([[peer, ofPeer.map(({ value }) => value)]])
  return { item, reacted: reacted.set(wallet, peer === wallet ? own.map(valueOf) : own.map(valueOf)) }
}
const valueOf = ({ value }: { value: string }) => value

/** Changes a known message as an event about it says. */
function change(known: Known, event: ServiceEvent, wallet: string): void {
  const { item } = known
  if (event.type === 'edited') {
    const { reactions, pinned } = item
    known.item = { ...event.item, ...(reactions && { reactions }), ...(pinned && { pinned }) }
  } else if (event.type === 'reacted-mine') known.reacted.set(wallet, event.values)
  else if (event.type === 'reacted' && event.values) known.reacted.set(event.fromaddr!, event.values)
  else if (event.type === 'reacted') {
    delete item.reactions
    if (event.reactions!.length > 0) item.reactions = event.reactions!
  } else if (event.type === 'pinned') item.pinned = true
  else if (event.type === 'unpinned') delete item.pinned
}

/** It begins with what it has read when the stream was open, as clients do. */
export async function openListener(
  service: Service,
  { wallets, wallet, textOf }: { wallets: string[]; wallet: number; textOf: TextOf },
  client: Client,
) {
  const self = wallets[wallet]!
  const stream = await listenTo(service, self)
  const before = await client.listDirectMessages({ address: self })
  const knownNow = () => {
    const known = new Map(before.map((item) => [item.id, knownOf({ ...item }, self)]))
    for (const event of stream.events()) apply(known, event, self)
    return known
  }
  const shown = ({ item, reacted }: Known) => {
    const { reactions: _, ...plain } = shownOf(item, textOf)
    const all = [...reacted].map(([by, values]) => ({ values, mine: by === self }))
    const reactions = countsOf(all)
    return { ...plain, ...(reactions.length > 0 && { reactions }), read: (item as ChatItem).read }
  }
  return {
    /** Returns the conversations with each wallet, from the events received so far. */
    conversations(): View['conversations'] {
      const known = [...knownNow()].toSorted(([one], [other]) => one - other)
      return wallets.map((peer) =>
        known.filter(([, { item }]) => isBetween(item as ChatItem, self, peer)).map(([, one]) => shown(one)),
      )
    },
    /** Returns the first texts of all messages that events have named. */
    named: () => new Set(stream.events().flatMap((event) => idsOf(event).map(textOf))),
    [Symbol.asyncDispose]: () => stream[Symbol.asyncDispose](),
  }
}

const idsOf = (event: ServiceEvent) =>
  'item' in event ? [event.item.id] : 'id' in event && typeof event.id === 'number' ? [event.id] : []

/** Changes what a wallet knows of its conversations by an event. */
function apply(known: Map<number, Known>, event: ServiceEvent, self: string): void {
  if (event.type === 'direct-message') known.set(event.item.id, knownOf({ ...event.item }, self))
  else if (event.type === 'read' && known.has(event.id))
    (known.get(event.id)!.item as ChatItem).read = event.read
  else if (event.type === 'read-to') {
    const [from, to] = [event.after ?? 0, event.id]
    for (const { item } of known.values())
      if (item.id <= to && item.id > from && isFromTo(item as ChatItem, event)) (item as ChatItem).read = true
  } else if (event.type === 'deleted' || event.type === 'hidden') known.delete(event.id)
  else if (event.type === 'conversation-deleted' || event.type === 'conversation-hidden') {
    const after = 'after' in event ? (event.after ?? 0) : 0
    for (const [id, { item }] of known)
      if (id > after && isBetween(item as ChatItem, event.fromaddr, event.toaddr)) known.delete(id)
  } else for (const id of idsOf(event)) if (known.has(id)) change(known.get(id)!, event, self)
}

interface Ends {
  fromaddr: string
  toaddr: string
}
const isFromTo = (item: Ends, { fromaddr, toaddr }: Ends) =>
  item.fromaddr === fromaddr && item.toaddr === toaddr
const isBetween = (item: Ends, one: string, other: string) =>
  (item.fromaddr === one && item.toaddr === other) || (item.fromaddr === other && item.toaddr === one)

/** Opens a member of all chats, which never reacts. */
export async function openMember(
  service: Service,
  { chats, member, textOf }: { chats: string[]; member: string; textOf: TextOf },
  client: Client,
) {
  const stream = await listenTo(service, member)
  const lists = await Promise.all(
    chats.map((address) => client.listGroupMessages({ address, useraddress: member })),
  )
  return {
    /** Returns the posts of each chat, from the events received so far. */
    posts(): Shown[][] {
      const known = new Map(lists.flat().map((item) => [item.id, { item: { ...item }, reacted: new Map() }]))
      for (const event of stream.events())
        if (event.type === 'group-message')
          known.set(event.item.id, { item: { ...event.item }, reacted: new Map() })
        else for (const id of idsOf(event)) if (known.has(id)) change(known.get(id)!, event, member)
      const items = [...known.values()].map(({ item }) => item).toSorted((one, other) => one.id - other.id)
      return chats.map((chat) =>
        items.filter(({ nftaddr }) => nftaddr === chat).map((item) => shownOf(item, textOf)),
      )
    },
    [Symbol.asyncDispose]: () => stream[Symbol.asyncDispose](),
  }
}
