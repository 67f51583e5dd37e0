// SQL that several stores share.

/** A column of type timestamptz as RFC 3339 in UTC with milliseconds. */
export const instant = (column: string) =>
  `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** The name of an address, empty when it has none. */
export const nameOf = (address: string) =>
  `coalesce((select n.name from names n where n.address = ${address}), '')`

/** The same as JSON, null when it has none. */
export const jsonNameOf = (address: string) => `(select p.name from profiles p where p.address = ${address})`

/** The small picture of an address or chat, empty when it has none. */
export const logoOf = (addr: string) =>
  `coalesce((select i.thumbnail from images i where i.addr = ${addr}), '')`

/** Whether a row of conversations is that of two wallets, in either order. */
export const isPair = (one: string, other: string) =>
  `a = least(${one}::text collate "C", ${other}::text collate "C") and b = greatest(${one}::text collate "C", ${other}::text collate "C")`

/**
 * What a wallet has not read of a chat `c`, by its visits `v` (null if there were none): what was
 * posted since it entered, less its own messages since then.
 */
export const unreadInChat =
  'c.posted - coalesce(v.seen, 0) - (coalesce(v.posted, 0) - coalesce(v.seen_own, 0))'

/** Up to which id a wallet has erased its side of the conversation `c`. */
export const erasedBy = (wallet: string) => `case when ${wallet} = c.a then c.erased_a else c.erased_b end`
