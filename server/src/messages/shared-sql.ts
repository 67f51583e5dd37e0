// This file has SQL that several stores share.

import { previewBytes } from '@parley/sdk/contract/fields.ts'

/** Makes a column of milliseconds into RFC 3339 in UTC. */
export const instant = (ms: string) =>
  `to_char(to_timestamp(${ms}::float8 / 1000) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** A mute until this time lasts forever: it is the greatest safe integer of JavaScript. */
export const forever = Number.MAX_SAFE_INTEGER

/**
 * Selects until when a wallet has muted the chat of a row of bookmarks: a room is muted with its community, unless the wallet has
 * said otherwise of the room. The wallet and its bucket are parameters of the statement.
 */
export const mutedUntil = (bookmark: string, wallet: string, wbucket: string) =>
  `coalesce(${bookmark}.muted_until_ms, case when strpos(${bookmark}.chat, '/') > 0 then (
     select h.muted_until_ms from bookmarks h
     where h.wbucket = ${wbucket} and h.walletaddr = ${wallet} and h.chat = split_part(${bookmark}.chat, '/', 1)) end)`

/** Makes a column of such times into JSON: RFC 3339, or `forever`. */
export const jsonMutedUntil = (ms: string) =>
  `case when ${ms} = ${forever} then '"forever"' else '"' || ${instant(ms)} || '"' end`

/** Selects the wallets that the wallet $1 with the bucket $2 has muted at the time `now`. */
export const mutedPeers = (now: string) => `
  muted as materialized (
    select peer, muted_until_ms from contacts where wbucket = $2 and walletaddr = $1 and muted_until_ms > ${now})`

/** Selects the name of an address as JSON, null when it has none. */
export const jsonNameOf = (address: string) => `(select p.name from profiles p where p.address = ${address})`

/** Makes a JSON string into text, empty when it is null. */
export const textOf = (json: string) => `coalesce(${json}::json #>> '{}', '')`

/** Selects the name of an address as text, empty when it has none. */
export const nameOf = (address: string) => textOf(jsonNameOf(address))

/** Selects the small picture of an address or chat, empty when it has none. */
export const logoOf = (address: string) =>
  `coalesce((select p.logo::json #>> '{}' from profiles p where p.address = ${address}), '')`

/** Says which conversations a view shows: those that the wallet has accepted, or those that it has not decided about. */
export const ofState = { all: undefined, main: 1, requests: 0 }
export type View = keyof typeof ofState

/**
 * Selects the conversations of a wallet, without those that it has blocked, from whichever end of the pair it is; the other end is
 * the peer. `state` is 0 for unknown, 1 for accepted, 2 for ignored. One scan by both indexes costs less than a scan for each end.
 * What a wallet writes to itself has it at both ends, of which only one has a state.
 */
export function conversationsOf(wallet: string, view: View = 'all'): string {
  const state = ofState[view]
  const own = (name: string) => `case when a = ${wallet} then ${name}_a else ${name}_b end`
  const from = (end: string) =>
    `${end} = ${wallet} and not blocked_${end}${state === undefined ? '' : ` and state_${end} = ${state}`}`
  return `
  select bucket, id, case when a = ${wallet} then b else a end as peer, ${own('unread')} as unread, ${own('erased')} as erased,
    last_ms, last_id, (a = ${wallet}) <> last_is_from_a as last_is_theirs, last_read, last_item, copy_ms, copy_version,
    ${own('state')} as state
  from conversations where (${from('a')} or ${from('b')})
    ${state === undefined ? '' : `and ${own('state')} = ${state}`}`
}

/** This is true when a wallet has blocked the other end of the conversation `c`. */
export const isBlockedBy = (wallet: string) =>
  `case when ${wallet} = c.a then c.blocked_a else c.blocked_b end`

/** This is true when a preview shows less than one of these texts. Null counts as false. */
export const isCut = (...texts: string[]) =>
  `greatest(${texts.map((text) => `octet_length(${text})`).join(', ')}) > ${previewBytes}`

/**
 * Makes a text into its preview: its first 4 KiB, cut between two characters. Few texts are cut, but the cut needs many
 * functions: preparing each statement with them would cost 15 % of an inbox of 20 rows. So it is a function of the database.
 */
export const previewOf = (text: string): string =>
  `case when octet_length(${text}) > ${previewBytes} then preview_v1(${text}, ${previewBytes}) else ${text} end`

/**
 * Counts what a wallet has not read in a chat `c`, by its visits `v` (null if there were none): the posts since it entered, less
 * its own messages since then. Posts that retention has deleted do not count: they are the oldest of the chat, as the seen ones
 * are, so the greater number covers both.
 */
export const unreadInChat = `c.posted - greatest(coalesce(v.seen, 0), c.expired)
  - (coalesce(v.posted, 0) - greatest(coalesce(v.seen_own, 0), coalesce(v.expired_own, 0)))`

/** Selects up to which id a wallet has erased its side of the conversation `c`. */
export const erasedBy = (wallet: string) => `case when ${wallet} = c.a then c.erased_a else c.erased_b end`

/** This is true when a wallet has not erased its side of a message `m`. */
export const notErasedBy = (wallet: string) => `m.id > (
  select ${erasedBy(wallet)} from conversations c where c.bucket = m.bucket and c.id = m.conversation_id)`

/** This is true when a wallet has not deleted a message `m` for itself alone. */
export const notHiddenFrom = (wallet: string) =>
  `(m.fromaddr <> ${wallet} or not m.hidden_from_sender) and (m.toaddr <> ${wallet} or not m.hidden_from_recipient)`

/** Selects the day on which an API key or an incoming hook was last used. */
export const lastUsed = `to_char(date '1970-01-01' + last_used_day, 'YYYY-MM-DD') as last_used`
