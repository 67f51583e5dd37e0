// Names and pictures by address. Names also come with messages and with the inbox; whatever knows the
// newest one tells all that show it.

import type { InboxItem } from '@parley/sdk'
import { useQuery } from '@tanstack/react-query'
import { cache, client, query } from '../service/api.ts'
import { currentAccount } from '../service/session.ts'
import { useAliases } from './aliases.ts'

/** The name and picture of a wallet or chat. */
export interface Profile {
  /** What it is called here: by the reader, else by itself. */
  name: string
  /** What it calls itself. */
  ownName: string
  picture: string | undefined
}

const long = 10 * 60_000

const nameQuery = (address: string) => query('getName', { name: address })

const find = (names: { address: string; name: string }[] | undefined, address: string) =>
  names?.find((mapping) => mapping.address === address.toLowerCase())?.name

/** The name of an address as far as known: empty when it has none. */
export const nameOf = (address: string): string | undefined => {
  const names = cache.getQueryData(nameQuery(address).queryKey)
  return names && (find(names, address) ?? '')
}

/** Keeps the name that an address has now; empty when it has none. */
export function learnName(address: string, name: string): void {
  if (nameOf(address) === name) return
  cache.setQueryData(
    nameQuery(address).queryKey,
    name ? [{ address: address.toLowerCase(), id: 0, name }] : [],
  )
  nameRow(address, name)
}

/** Names the inbox's row of a peer. */
function nameRow(peer: string, name: string): void {
  const me = currentAccount()?.address
  if (!me || peer === me) return
  cache.setQueriesData<InboxItem[]>({ queryKey: ['getInbox'] }, (rows) =>
    rows?.map((row) =>
      row.context_type === 'dm' && [row.fromaddr, row.toaddr].includes(peer) && row.name !== name
        ? { ...row, name }
        : row,
    ),
  )
}

/** The name and picture of an address. Empty and undefined until they are read. */
export function useProfile(address: string, { isFresh = false } = {}): Profile {
  const { data: names } = useQuery({
    ...nameQuery(address),
    queryFn: async () => {
      const found = await client.getName({ name: address })
      nameRow(address, find(found, address) ?? '')
      return found
    },
    refetchOnWindowFocus: false,
    ...(isFresh && { refetchOnMount: 'always' }),
  })
  const { data: images } = useQuery({ ...query('getPicture', { addr: address }), staleTime: long })
  const alias = useAliases().get(address)
  const ownName = find(names, address) ?? ''
  return { name: alias ?? ownName, ownName, picture: images?.[0]?.base64data }
}
