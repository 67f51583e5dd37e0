// SQL that several stores share.

/** A column of milliseconds as RFC 3339 in UTC. */
export const instant = (ms: string) =>
  `to_char(to_timestamp(${ms}::float8 / 1000) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** A time until which something is muted that stands for ever: what a number of JavaScript can be. */
export const forever = Number.MAX_SAFE_INTEGER

/** A column of such times as JSON: RFC 3339, or `forever`. */
export const jsonMutedUntil = (ms: string) =>
  `case when ${ms} = ${forever} then '"forever"' else '"' || ${instant(ms)} || '"' end`

/** The wallets that the wallet $1 with the bucket $2 has muted at the time `now`. */
export const mutedPeers = (now: string) => `
  muted as materialized (
    select peer, muted_until_ms from contacts where wbucket = $2 and walletaddr = $1 and muted_until_ms > ${now})`

/** The name of an address as JSON, null when it has none. */
export const jsonNameOf = (address: string) => `(select p.name from profiles p where p.address = ${address})`

/** A JSON string as text, empty when it is null. */
export const textOf = (json: string) => `coalesce(${json}::json #>> '{}', '')`

/** The name of an address as text, empty when it has none. */
export const nameOf = (address: string) => textOf(jsonNameOf(address))

/** The small picture of an address or chat, empty when it has none. */
export const logoOf = (address: string) =>
  `coalesce((select p.logo::json #>> '{}' from profiles p where p.address = ${address}), '')`

/** Which conversations: those that the wallet has accepted, or those in which it has not decided. */
const ofState = { all: undefined, main: 1, requests: 0 }
export type View = keyof typeof ofState

/**
 * The conversations of a wallet, from whichever end of the pair it is, without those that it has blocked; the other end
 * is the peer. `state` is 0 for unknown, 1 for accepted, 2 for ignored.
 */
export function conversationsOf(wallet: string, view: View = 'all'): string {
  const state = ofState[view]
  const those = (end: string) =>
    `not blocked_${end}${state === undefined ? '' : ` and state_${end} = ${state}`}`
  return `
  select bucket, id, b as peer, unread_a as unread, erased_a as erased, last_ms, last_id,
    not last_is_from_a as last_is_theirs, last_read, last_item, copy_ms, copy_version, state_a as state
  from conversations where a = ${wallet} and ${those('a')}
  union all
  select bucket, id, a, unread_b, erased_b, last_ms, last_id, last_is_from_a, last_read, last_item, copy_ms, copy_version, state_b
  from conversations where b = ${wallet} and a <> ${wallet} and ${those('b')}`
}

/** The same on a cluster, by their copies (copies.ts); `wbucket` is the wallet's bucket. */
export function copiesOf(wallet: string, wbucket: string, view: View = 'all'): string {
  const state = ofState[view]
  return `
  select bucket, id, peer, unread, last_ms, last_id, last_is_theirs, last_read, last_item, state, shape
  from conversation_copies where wbucket = ${wbucket} and walletaddr = ${wallet} and id is not null and not blocked
    ${state === undefined ? '' : `and state = ${state}`}`
}

/** Whether a wallet has blocked the other end of the conversation `c`. */
export const isBlockedBy = (wallet: string) =>
  `case when ${wallet} = c.a then c.blocked_a else c.blocked_b end`

/** Bytes of a text that a preview shows: a row of an inbox, a message on a landing page. */
const previewBytes = 4096

/** Whether a preview shows less than one of these texts. Null counts as false. */
export const isCut = (...texts: string[]) =>
  `greatest(${texts.map((text) => `octet_length(${text})`).join(', ')}) > ${previewBytes}`

/**
 * A text as a preview shows it: its first 4 KiB, cut between two characters. To cut is seldom, and
 * takes so many functions that preparing each statement to run would cost 15 % of an inbox of 20
 * rows. So it is a function of the database.
 */
export const previewOf = (text: string): string =>
  `case when octet_length(${text}) > ${previewBytes} then preview_v1(${text}, ${previewBytes}) else ${text} end`

/**
 * What a wallet has not read of a chat `c`, by its visits `v` (null if there were none): what was
 * posted since it entered, less its own messages since then. What retention has deleted is neither:
 * it is the oldest of the chat, as what was seen is, so the greater number covers both.
 */
export const unreadInChat = `c.posted - greatest(coalesce(v.seen, 0), c.expired)
  - (coalesce(v.posted, 0) - greatest(coalesce(v.seen_own, 0), coalesce(v.expired_own, 0)))`

/** Up to which id a wallet has erased its side of the conversation `c`. */
export const erasedBy = (wallet: string) => `case when ${wallet} = c.a then c.erased_a else c.erased_b end`

/** Whether a wallet has not erased its side of a message `m`. */
export const notErasedBy = (wallet: string) => `m.id > (
  select ${erasedBy(wallet)} from conversations c where c.bucket = m.bucket and c.id = m.conversation_id)`

/** Whether a wallet has not deleted a message `m` for itself alone. */
export const notHiddenFrom = (wallet: string) =>
  `(m.fromaddr <> ${wallet} or not m.hidden_from_sender) and (m.toaddr <> ${wallet} or not m.hidden_from_recipient)`
