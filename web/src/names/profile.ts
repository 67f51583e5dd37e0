// This file has names and pictures by address. Names also come with messages and with the inbox; a place that receives
// the newest one updates all that show it.

import { canonicalAddress } from '@parley/sdk/accounts.ts'
import type { InboxItem } from '@parley/sdk'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { cache, client, inboxQuery, query } from '../service/api.ts'
import { hasten, later } from '../service/later.ts'
import { currentAccount } from '../service/session.ts'
import { useAliases } from './aliases.ts'
import { peerOf } from './peer.ts'

interface Name {
  /** It has this name here: the reader's own, else the one it has chosen. */
  name: string
  /** The wallet has chosen this name. */
  ownName: string
}

export interface Profile extends Name {
  picture: string | undefined
}

const long = 10 * 60_000

const nameQuery = (address: string) => query('getName', { name: address })

const find = (names: { address: string; name: string }[] | undefined, address: string) =>
  names?.find((mapping) => mapping.address === canonicalAddress(address))?.name

/** Returns a name as the service sends it. */
const asSent = (address: string, name: string) =>
  name ? [{ address: canonicalAddress(address), id: 0, name }] : []

/** Returns the known name of an address: empty when it has none. */
export const nameOf = (address: string): string | undefined => {
  const names = cache.getQueryData(nameQuery(address).queryKey)
  return names && (find(names, address) ?? '')
}

/** Stores the name that an address has now; empty when it has none. */
export function learnName(address: string, name: string): void {
  if (nameOf(address) === name) return
  cache.setQueryData(nameQuery(address).queryKey, asSent(address, name))
  nameRow(address, name)
}

/** Puts the name into the inbox row of a peer. */
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

/** Rows of the inbox that were read within these milliseconds are as new as what would be read now. */
const fresh = 10_000

/**
 * Returns the name that an address has in the inbox, when that is being read or was just read: each row has the name of
 * the peer, and of who has written last.
 */
async function nameInInbox(address: string): Promise<string | undefined> {
  // A name that has changed is read by itself: the inbox may be older.
  if (cache.getQueryState(nameQuery(address).queryKey)?.isInvalidated) return undefined
  const me = currentAccount()?.address
  if (!me) return undefined
  const inbox = cache.getQueryCache().find<InboxItem[]>({ queryKey: inboxQuery(me).queryKey })
  if (inbox?.state.fetchStatus === 'fetching') await inbox.promise?.catch(() => undefined)
  if (!inbox || inbox.state.dataUpdatedAt < Date.now() - fresh) return undefined
  const direct = inbox.state.data?.filter(({ context_type }) => context_type === 'dm')
  if (address === me) return direct?.find(({ fromaddr }) => fromaddr === me)?.sender_name
  return direct?.find((row) => peerOf(row, me) === address)?.name
}

/** Returns the name of an address. It is empty until it is read. */
export function useName(address: string, { isFresh = false } = {}): Name {
  const { data: names } = useQuery({
    ...nameQuery(address),
    queryFn: async () => {
      const known = await nameInInbox(address)
      if (known !== undefined) return asSent(address, known)
      const found = await client.getName({ name: address })
      nameRow(address, find(found, address) ?? '')
      return found
    },
    refetchOnWindowFocus: false,
    ...(isFresh && { refetchOnMount: 'always' }),
  })
  const alias = useAliases().get(address)
  const ownName = find(names, address) ?? ''
  return { name: alias ?? ownName, ownName }
}

interface PictureOptions {
  /** When false, it is not read; what was read before is returned. */
  isWanted?: boolean
  /** When true, the reader's own picture is read after what is shown first. */
  mayWait?: boolean
}

/** Returns the picture of an address; undefined until it is read, and when there is none. */
export function usePicture(
  address: string,
  { isWanted = true, mayWait = false }: PictureOptions = {},
): string | undefined {
  const read = query('getPicture', { addr: address })
  const { data: images } = useQuery({
    ...read,
    queryFn: async () => {
      if (address === currentAccount()?.address) await later()
      return client.getPicture({ addr: address })
    },
    staleTime: long,
    enabled: isWanted,
  })
  useEffect(() => {
    if (!mayWait && address === currentAccount()?.address) hasten()
  }, [mayWait, address])
  return images?.[0]?.base64data
}

/** Returns the name and picture of an address. */
export function useProfile(address: string, options?: PictureOptions): Profile {
  return { ...useName(address), picture: usePicture(address, options) }
}
