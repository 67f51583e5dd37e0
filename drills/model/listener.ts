// This wallet knows its conversations only from the event stream.

import type { Client } from '@parley/sdk'
import { listenTo } from '../../testing/service/event-listener.ts'
import type { Service } from '../../testing/service/service.ts'
import type { View } from './state.ts'

/** It begins with what it has read when the stream was open, as clients do. */
export async function openListener(service: Service, wallets: string[], wallet: number, client: Client) {
  const stream = await listenTo(service, wallets[wallet]!)
  const before = await client.listDirectMessages({ address: wallets[wallet]! })
  return {
    /** Returns the conversations with each wallet, from the events received so far. */
    conversations(): View['conversations'] {
      const known = new Map(
        before.map(({ id, fromaddr, toaddr, message, read }) => [
          id,
          { fromaddr, toaddr, text: message, read },
        ]),
      )
      for (const event of stream.events()) {
        if (event.type === 'direct-message') {
          const { id, fromaddr, toaddr, message, read } = event.item
          known.set(id, { fromaddr, toaddr, text: message, read })
        } else if (event.type === 'read' && known.has(event.id)) known.get(event.id)!.read = event.read
        else if (event.type === 'read-to') {
          for (const [id, item] of known)
            if (
              id <= event.id &&
              id > (event.after ?? 0) &&
              item.fromaddr === event.fromaddr &&
              item.toaddr === event.toaddr
            )
              item.read = true
        } else if (event.type === 'deleted' || event.type === 'hidden') known.delete(event.id)
        else if (event.type === 'conversation-deleted' || event.type === 'conversation-hidden') {
          const after = 'after' in event ? (event.after ?? 0) : 0
          for (const [id, item] of known)
            if (id > after && isBetween(item, event.fromaddr, event.toaddr)) known.delete(id)
        }
      }
      return wallets.map((peer) =>
        [...known.entries()]
          .filter(([, item]) => isBetween(item, wallets[wallet]!, peer))
          .toSorted(([one], [other]) => one - other)
          .map(([, { text, read }]) => ({ text, read })),
      )
    },
    [Symbol.asyncDispose]: () => stream[Symbol.asyncDispose](),
  }
}

const isBetween = (item: { fromaddr: string; toaddr: string }, one: string, other: string) =>
  (item.fromaddr === one && item.toaddr === other) || (item.fromaddr === other && item.toaddr === one)
