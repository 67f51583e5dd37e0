// What a log has: items, how they are read, and how a reader of what is new looks.

import { chatItem } from '../messages/direct-message.ts'
import { messageEvent } from '../messages/events.ts'
import { groupChatItem } from '../messages/group-message.ts'

/** An event for a wallet, for a pair of wallets, or for the members of a chat. */
export interface Item {
  id: number
  kind: 'direct' | 'group' | 'event'
  /** The sender, the chat, or the wallet. */
  one: string
  /** The recipient of a direct message. */
  other: string | null
  /** Of an inbox event: what was done with which chat. */
  change: string | null
  nftaddr: string | null
  /** A ServiceEvent as JSON. */
  json: string
}

/** How many items a poll answers at most. Items reach 128 KiB, so this bounds its memory. */
export const batchSize = 200

export interface Tail {
  /**
   * What has become visible, in the order of ids, with the position after each item. `lost` says
   * whether something may have been missed for good, `isComplete` that there was no more.
   */
  poll: () => Promise<{
    found: { item: Item; position: number | undefined }[]
    lost: boolean
    isComplete: boolean
  }>
  /** Everything up to here has been found; undefined where that cannot be said yet. */
  readonly position: number | undefined
}

/** How many items a client that resumes is sent at most. */
export const maxMissed = 1000

/** Where items are looked for: the ids in a table, its row of an id `p`, and the chat of such a row. */
interface Place {
  ids: (table: string, kind: Item['kind'], limit: number) => string
  row: (table: string) => string
  chat: string
}

/** A statement that reads the items of a place by ascending id: the first `batchSize` of them. */
export const itemsOf = ({ ids, row, chat }: Place) => `
  with picked as materialized (
    select * from (
      ${ids('direct_messages', 'direct', batchSize)} union all ${ids('group_messages', 'group', batchSize)}
      union all ${ids('events', 'event', batchSize)}
    ) ids order by id limit ${batchSize}
  ), items as (
    select p.*, m.fromaddr as one, m.toaddr as other, null as change, null as nftaddr,
      ${messageEvent('direct-message', chatItem)} as json
    from picked p ${row('direct_messages')} where p.kind = 'direct'
    union all
    select p.*, m.chat, null, null, null, ${messageEvent('group-message', groupChatItem)}
    from picked p ${row('group_messages')} ${chat} where p.kind = 'group'
    union all
    select p.*, m.walletaddr, null, m.event->>'change', m.event->>'nftaddr', m.event::text
    from picked p ${row('events')} where p.kind = 'event'
  )
  select * from items order by id`
