// SQL that several stores share.

/** A column of milliseconds as RFC 3339 in UTC. */
export const instant = (ms: string) =>
  `to_char(to_timestamp(${ms}::float8 / 1000) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** The name of an address as JSON, null when it has none. */
export const jsonNameOf = (address: string) => `(select p.name from profiles p where p.address = ${address})`

/** A JSON string as text, empty when it is null. */
export const textOf = (json: string) => `coalesce(${json}::json #>> '{}', '')`

/** The name of an address as text, empty when it has none. */
export const nameOf = (address: string) => textOf(jsonNameOf(address))

/** The small picture of an address or chat, empty when it has none. */
export const logoOf = (address: string) =>
  `coalesce((select p.logo::json #>> '{}' from profiles p where p.address = ${address}), '')`

/** The conversations of a wallet, from whichever end of the pair it is; the other end is the peer. */
export const conversationsOf = (wallet: string) => `
  select bucket, id, b as peer, unread_a as unread, erased_a as erased, last_ms, last_id,
    not last_is_from_a as last_is_theirs, last_read, last_item, copy_ms, copy_version
  from conversations where a = ${wallet}
  union all
  select bucket, id, a, unread_b, erased_b, last_ms, last_id, last_is_from_a, last_read, last_item, copy_ms, copy_version
  from conversations where b = ${wallet} and a <> ${wallet}`

/** Bytes of a text that a preview shows: a row of an inbox, a message on a landing page. */
const previewBytes = 4096

/** Whether a preview shows less than the text. */
export const isCut = (text: string) => `coalesce(octet_length(${text}) > ${previewBytes}, false)`

/**
 * The beginning of a text, cut between two characters. Only the beginning of a long text is read
 * from the disk.
 */
export function previewOf(text: string): string {
  const bytes = `convert_to(left(${text}, ${previewBytes}), 'UTF8')`
  // The bytes of a character after its first are 10xxxxxx in binary.
  const endsAt = (end: number) => `when get_byte(${bytes}, ${end}) & 192 <> 128 then ${end}`
  const end = [0, 1, 2].map((before) => endsAt(previewBytes - before)).join(' ')
  const cut = `convert_from(substring(${bytes} from 1 for case ${end} else ${previewBytes - 3} end), 'UTF8')`
  // Characters of one byte need no further cut.
  return `case when not ${isCut(text)} then ${text} when octet_length(left(${text}, ${previewBytes})) <= ${previewBytes} then left(${text}, ${previewBytes}) else ${cut} end`
}

/**
 * What a wallet has not read of a chat `c`, by its visits `v` (null if there were none): what was
 * posted since it entered, less its own messages since then.
 */
export const unreadInChat =
  'c.posted - coalesce(v.seen, 0) - (coalesce(v.posted, 0) - coalesce(v.seen_own, 0))'

/** Up to which id a wallet has erased its side of the conversation `c`. */
export const erasedBy = (wallet: string) => `case when ${wallet} = c.a then c.erased_a else c.erased_b end`

/** Whether a wallet has not erased its side of a message `m`. */
export const notErasedBy = (wallet: string) => `m.id > (
  select ${erasedBy(wallet)} from conversations c where c.bucket = m.bucket and c.id = m.conversation_id)`
