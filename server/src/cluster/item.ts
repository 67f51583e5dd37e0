// This file has the items of the log, as they are delivered.

import type { ServiceEvent } from '@parley/sdk/contract/events.ts'
import { chatItem } from '../messages/direct-message.ts'
import { groupChatItem, groupChatItemIn, isHeld } from '../messages/group-message.ts'

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
}

/** Returns true when an item is for the members of the chat `one`. */
export const isOfChat = ({ kind }: Pick<Item, 'kind'>): boolean =>
  kind === 'group' || kind === 'withheld' || kind === 'chat'

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

/** Selects the reactions of a wallet to the message of an event `m`, as its reader sees them. */
const valuesOf = (wallet: string) => `jsonb_build_object('values', coalesce((
  select to_jsonb(r.vals) from reactions r
  where r.bucket = m.bucket and r.item_id = (m.event->>'id')::bigint and r.walletaddr = ${wallet}
    and (not r.unseen or r.walletaddr = m.walletaddr)), '[]'))`

/** Selects how many wallets have reacted to the message of an event `m` of a chat; an event for one member has its own too. */
const countsOf = `jsonb_build_object('reactions', coalesce((
  select jsonb_agg(jsonb_build_object('value', v.value, 'count', v.n) order by v.n desc, v.value) from (
    select value, sum(n) as n from (
      select r.value, r.n from reaction_counts r where r.bucket = m.bucket and r.item_id = (m.event->>'id')::bigint
      union all
      select unnest(r.vals), 1 from reactions r
      where r.bucket = m.bucket and r.item_id = (m.event->>'id')::bigint and r.unseen
        and r.walletaddr = split_part(m.walletaddr, ' ', 3)
    ) both_kinds group by value
  ) v), '[]'))`

/** Reactions are read when they are delivered: an event has no values that outlive a deletion. */
const eventItem = `case m.event->>'type'
  when 'reacted' then (m.event || case when ${isOfMembers} then ${countsOf} else ${valuesOf(`m.event->>'fromaddr'`)} end)::text
  when 'reacted-mine' then (m.event || ${valuesOf('m.walletaddr')})::text
  else m.event::text end`

/** Returns the findings without reactions to a post of which a later one is among them: it has the same counts. */
export function newestReactions<Finding extends { item: Item }>(found: readonly Finding[]): Finding[] {
  const later = new Set<string>()
  return found
    .toReversed()
    .filter(({ item: { kind, one, other, json } }) => {
      if (kind !== 'chat' || !json.includes('"type": "reacted"')) return true
      const key = `${one} ${other} ${(JSON.parse(json) as { id: number }).id}`
      return !later.has(key) && later.add(key)
    })
    .toReversed()
}

/** Makes a statement that reads the items of a place by ascending id: the first `batchSize` of them. */
export const itemsOf = ({ ids, row, chat }: Place) => `
  with picked as materialized (
    select * from (
      ${ids('direct_messages', 'direct', batchSize)} union all ${ids('group_messages', 'group', batchSize)}
      union all ${ids('withheld_posts', 'withheld', batchSize)} union all ${ids('events', 'event', batchSize)}
    ) ids order by id limit ${batchSize}
  ), items as (
    select p.*, m.fromaddr as one, case when not m.withheld then m.toaddr end as other, null as change, null as nftaddr,
      ${messageEvent('direct-message', chatItem)} as json
    from picked p ${row('direct_messages')} where p.kind = 'direct'
    union all
    select p.*, m.chat, null, null, null, ${messageEvent('group-message', groupChatItem)}
    from picked p ${row('group_messages')} ${chat} where p.kind = 'group'
    union all
    select p.*, m.chat, m.fromaddr, null, null, ${messageEvent('group-message', groupChatItemIn('c', isHeld))}
    from picked p ${row('withheld_posts')} ${chat} where p.kind = 'withheld'
    union all
    select case when ${isOfMembers} then 'chat' else p.kind end, p.id,
      case when ${isOfMembers} then split_part(m.walletaddr, ' ', 2) else m.walletaddr end,
      nullif(split_part(m.walletaddr, ' ', 3), ''), m.event->>'change', m.event->>'nftaddr', ${eventItem}
    from picked p ${row('events')} where p.kind = 'event'
  )
  select * from items order by id`
