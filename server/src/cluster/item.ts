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
  /** These wallets get another JSON. */
  apart: Record<string, string> | null
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
  /** This names the bucket of the row `m`: on a cluster it is a value, so that all is read from one part. */
  bucket: string
}

/** This is true when a row of events is for the members of a chat. */
const isOfMembers = `m.walletaddr like 'chat %'`

/** Selects the reactions of a wallet to the message of an event `m`, as its reader sees them. */
const valuesOf = (bucket: string, wallet: string) => `jsonb_build_object('values', coalesce((
  select to_jsonb(r.vals) from reactions r
  where r.bucket = ${bucket} and r.item_id = (m.event->>'id')::bigint and r.walletaddr = ${wallet}
    and (not r.unseen or r.walletaddr = m.walletaddr)), '[]'))`

/** Selects how many wallets have reacted to the message of an event `m` of a chat; `more` adds values that not all see. */
const countsWith = (bucket: string, more = '') => `jsonb_build_object('reactions', coalesce((
  select jsonb_agg(jsonb_build_object('value', v.value, 'count', v.n) order by v.n desc, v.value) from (
    select value, sum(n) as n from (
      select k.value, k.n from reaction_counts k where k.bucket = ${bucket} and k.item_id = (m.event->>'id')::bigint
      ${more}
    ) all_kinds group by value
  ) v), '[]'))`

const isAboutPost = `m.event->>'type' = 'reacted' and ${isOfMembers}`

/** Reactions are read when they are delivered: an event has no values that outlive a deletion. */
const eventItem = (bucket: string) => `case when ${isAboutPost} then (m.event || ${countsWith(bucket)})::text
  else case m.event->>'type'
    when 'reacted' then (m.event || ${valuesOf(bucket, `m.event->>'fromaddr'`)})::text
    when 'reacted-mine' then (m.event || ${valuesOf(bucket, 'm.walletaddr')})::text
    else m.event::text end end`

/** A wallet whose reactions only it sees gets an event of its own for all others: it must not notice it by the counts. */
const eventItemsApart = (bucket: string) => `case when ${isAboutPost} then (
  select jsonb_object_agg(r.walletaddr, (m.event || ${countsWith(bucket, 'union all select unnest(r.vals), 1')})::text) from reactions r
  where r.bucket = ${bucket} and r.item_id = (m.event->>'id')::bigint and r.unseen) end`

/** Returns an item as a wallet gets it. */
export const jsonFor = ({ json, apart }: Item, wallet: string): string => apart?.[wallet] ?? json

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
export const itemsOf = ({ ids, row, chat, bucket }: Place) => `
  with picked as materialized (
    select * from (
      ${ids('direct_messages', 'direct', batchSize)} union all ${ids('group_messages', 'group', batchSize)}
      union all ${ids('withheld_posts', 'withheld', batchSize)} union all ${ids('events', 'event', batchSize)}
    ) ids order by id limit ${batchSize}
  ), items as (
    select p.*, m.fromaddr as one, case when not m.withheld then m.toaddr end as other, null as change, null as nftaddr,
      ${messageEvent('direct-message', chatItem)} as json,
      null::jsonb as apart
    from picked p ${row('direct_messages')} where p.kind = 'direct'
    union all
    select p.*, m.chat, null, null, null, ${messageEvent('group-message', groupChatItem)}, null
    from picked p ${row('group_messages')} ${chat} where p.kind = 'group'
    union all
    select p.*, m.chat, m.fromaddr, null, null, ${messageEvent('group-message', groupChatItemIn('c', isHeld))}, null
    from picked p ${row('withheld_posts')} ${chat} where p.kind = 'withheld'
    union all
    select case when ${isOfMembers} then 'chat' else p.kind end, p.id,
      case when ${isOfMembers} then split_part(m.walletaddr, ' ', 2) else m.walletaddr end,
      nullif(split_part(m.walletaddr, ' ', 3), ''), m.event->>'change', m.event->>'nftaddr', ${eventItem(bucket)},
      ${eventItemsApart(bucket)}
    from picked p ${row('events')} where p.kind = 'event'
  )
  select * from items order by id`
