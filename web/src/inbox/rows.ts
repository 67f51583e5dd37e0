import type { InboxItem } from '@parley/sdk'
import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { isMuted } from '../state/muted.ts'
import { type Aliases, useAliases } from '../names/aliases.ts'
import { learnName } from '../names/profile.ts'
import { client, inboxQuery } from '../service/api.ts'
import { isPlaceOf, pathAt, type Place } from './cache.ts'
import { peerOf } from '../names/peer.ts'
import { asReadHere } from './reading.ts'
import { useMe } from '../service/session.ts'
import { shortAddress } from '../seal/address.ts'

export const tabs = ['all', 'dm', 'nft', 'community'] as const
export type Tab = (typeof tabs)[number]

/** Returns the inbox of the signed-in wallet: the wallets that it has accepted, and the chats that it has joined. */
export function useInbox() {
  const address = useMe()
  const aliases = useAliases()
  return useQuery({
    ...inboxQuery(address),
    select: useCallback(
      (rows: InboxItem[]) => (aliases.size === 0 ? rows : rows.map((row) => named(row, address, aliases))),
      [address, aliases],
    ),
    queryFn: async () => {
      const rows = await client.getInbox({ address, query: { view: 'main' } })
      for (const row of rows) if (row.context_type === 'dm') learnName(peerOf(row, address), row.name)
      return asReadHere(rows, address)
    },
  })
}

/** Adds the reader's own names. */
const named = (row: InboxItem, me: string, aliases: Aliases): InboxItem =>
  row.context_type === 'dm'
    ? { ...row, name: aliases.get(peerOf(row, me)) ?? row.name }
    : { ...row, sender_name: aliases.get(row.fromaddr) ?? row.sender_name }

/** Returns the row of a conversation or chat, and whether the inbox is there. */
export function useRow(place: Place): { row: InboxItem | undefined; isKnown: boolean } {
  const me = useMe()
  const { data, error } = useInbox()
  return {
    row: data?.find((row) => isPlaceOf(place, row, me)),
    isKnown: data !== undefined || error !== null,
  }
}

export const pathOf = (row: InboxItem, me: string): string => pathAt(placeOfRow(row, me))

const placeOfRow = (row: InboxItem, me: string): Place => ({
  context_type: row.context_type,
  addr: seedOf(row, me),
})

/** Returns the text that a row's picture is drawn from: the peer, or the chat. */
export const seedOf = (row: InboxItem, me: string): string =>
  row.context_type === 'dm' ? peerOf(row, me) : row.nftaddr

export function titleOf(row: InboxItem, me: string): string {
  if (row.name) return row.name
  if (row.context_type === 'dm' && peerOf(row, me) === me) return 'Note to self'
  return shortAddress(seedOf(row, me))
}

/** Muted rows do not count. */
export const unreadOf = (rows: InboxItem[], tab: Tab): number =>
  rows.reduce(
    (sum, row) =>
      sum + ((tab === 'all' || row.context_type === tab) && !isMuted(row.muted_until) ? row.unread : 0),
    0,
  )

/** Returns the rows of a tab whose title or address contains the search text. */
export function findRows(rows: InboxItem[], me: string, tab: Tab, search: string): InboxItem[] {
  const text = search.trim().toLowerCase()
  return rows.filter(
    (row) =>
      (tab === 'all' || row.context_type === tab) &&
      (!text ||
        titleOf(row, me).toLowerCase().includes(text) ||
        seedOf(row, me).toLowerCase().includes(text)),
  )
}
