// SQL that many stores share: how a value of the contract is made from a column.

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

/** Whether a row of conversations is that of two wallets, whichever is named first. */
export const isPair = (one: string, other: string) =>
  `a = least(${one}::text collate "C", ${other}::text collate "C") and b = greatest(${one}::text collate "C", ${other}::text collate "C")`

/** Up to which id a wallet has erased its side of the conversation `c`. */
export const erasedBy = (wallet: string) => `case when ${wallet} = c.a then c.erased_a else c.erased_b end`
