// This file has the items of the log, as they are delivered.

import type { ServiceEvent } from '@parley/sdk/contract/events.ts'
import { chatItem, chatItemSeenBy } from '../messages/direct-message.ts'
import { groupChatItem, groupChatItemIn, groupChatItemSeenBy, isHeld } from '../messages/group-message.ts'

/** This is an event for a wallet, for a pair of wallets, or for the members of a chat. */
export interface Item {
  id: number
  kind: 'direct' | 'group' | 'withheld' | 'chat' | 'event'
  /** This is the sender, the chat, or the wallet. */
  one: string
  /**
   * This is the recipient of a direct message, who gets no event for a withheld one; or the only member of the chat who gets the
   * event.
   */
  other: string | null
  /** This is for an inbox event: it says what was done with which chat. */
  change: string | null
  nftaddr: string | null
  /** This is a ServiceEvent as JSON. */
  json: string
  /** These wallets get another JSON. */
  apart: Record<string, string> | null
}

/** Returns true when an item is for the members of the chat `one`. */
export const isOfChat = ({ kind }: Pick<Item, 'kind'>): boolean =>
  kind === 'group' || kind === 'withheld' || kind === 'chat'

/** Returns true for an event about a change of a message, which has the ids alone (live/as-it-is-now.ts). */
export const isChange = ({ kind, json }: Item): boolean =>
  (kind === 'event' || kind === 'chat') && /"type": "(reacted|reacted-mine|edited)"/.test(json)

/** A poll returns at most this many items. Items reach 128 KiB, so this limits its memory. */
export const batchSize = 200

/** Makes SQL of a message's event as JSON text; `item` is the JSON of the message. */
const messageEvent = (type: Extract<ServiceEvent, { item: unknown }>['type'], item: string): string =>
  `'{"type":"${type}","item":' || ${item} || '}'`

/** Items are read here: the ids in a table, its row of an id `p`, and the chat of such a row. */
interface Place {
  ids: (table: string, kind: Item['kind'], limit: number) => string
  row: (table: string) => string
  chat: string
}

/** This is true when a row of events is for the members of a chat. */
const isOfMembers = `m.walletaddr like 'chat %'`

/** Its author gets a message with what it alone sees of it. */
const apart = (type: Parameters<typeof messageEvent>[0], item: string) =>
  `case when m.own is not null then jsonb_build_object(m.fromaddr, ${messageEvent(type, item)}) end`

/** Returns an item as a wallet gets it. */
export const jsonFor = ({ json, apart: others }: Item, wallet: string): string => others?.[wallet] ?? json

/** Makes a statement that reads the items of a place by ascending id: the first `batchSize` of them. */
export const itemsOf = ({ ids, row, chat }: Place) => `
  with picked as materialized (
    select * from (
      ${ids('direct_messages', 'direct', batchSize)} union all ${ids('group_messages', 'group', batchSize)}
      union all ${ids('withheld_posts', 'withheld', batchSize)} union all ${ids('events', 'event', batchSize)}
    ) ids order by id limit ${batchSize}
  ), items as (
    select p.*, m.fromaddr as one, case when not m.withheld then m.toaddr end as other, null as change, null as nftaddr,
      ${messageEvent('direct-message', chatItem)} as json,
      ${apart('direct-message', chatItemSeenBy('m.fromaddr'))} as apart
    from picked p ${row('direct_messages')} where p.kind = 'direct'
    union all
    select p.*, m.chat, null, null, null, ${messageEvent('group-message', groupChatItem)},
      ${apart('group-message', groupChatItemSeenBy('m.fromaddr', 'c'))}
    from picked p ${row('group_messages')} ${chat} where p.kind = 'group'
    union all
    select p.*, m.chat, m.fromaddr, null, null, ${messageEvent('group-message', groupChatItemIn('c', isHeld))}, null
    from picked p ${row('withheld_posts')} ${chat} where p.kind = 'withheld'
    union all
    select case when ${isOfMembers} then 'chat' else p.kind end, p.id,
      case when ${isOfMembers} then split_part(m.walletaddr, ' ', 2) else m.walletaddr end,
      nullif(split_part(m.walletaddr, ' ', 3), ''), m.event->>'change', m.event->>'nftaddr', m.event::text, null
    from picked p ${row('events')} where p.kind = 'event'
  )
  select * from items order by id`
