import type { InboxItem } from '@parley/sdk'
import { useMemo } from 'react'
import { isAlike } from '../names/alike.ts'
import { type Aliases, useAliases } from '../names/aliases.ts'
import { knownChainName, type NameInEns } from '../names/chain-names.ts'
import { nameOf } from '../names/profile.ts'
import { useMe } from '../service/session.ts'
import { looksAlike, shortAddress } from '../seal/address.ts'
import { peerOf } from '../names/peer.ts'
import { titleOf, useInbox } from './rows.ts'

/** This wallet resembles another. */
export interface LookAlike {
  address: string
  /** The reader knows the wallet by this name. */
  title: string
  /** This says what is alike. */
  why: 'digits' | 'name'
}

/** Returns the wallets of conversations and those that the reader has named, by their names. */
function knownTo(me: string, rows: InboxItem[] | undefined, aliases: Aliases): Map<string, string> {
  const known = new Map<string, string>()
  for (const row of rows ?? []) if (row.context_type === 'dm') known.set(peerOf(row, me), titleOf(row, me))
  for (const [peer, title] of aliases) known.set(peer, title)
  return known
}

/**
 * Returns a wallet that the reader knows, or their own, that has the same first and last digits as an address, or a
 * name like the one that the wallet has chosen; undefined when there is none. A wallet that the reader has named has
 * only that name.
 */
export function useLookAlike(address: string, ownName: string): LookAlike | undefined {
  const me = useMe()
  const { data: rows } = useInbox()
  const aliases = useAliases()
  return useMemo(() => {
    if (looksAlike(address, me)) return { address: me, title: 'your own wallet', why: 'digits' }
    const known = knownTo(me, rows, aliases)
    for (const other of [address, me]) known.delete(other)
    const near = [...known].find(([other]) => looksAlike(address, other))
    if (near) return { address: near[0], title: near[1], why: 'digits' }
    if (!ownName || aliases.has(address)) return undefined
    // An address does not count as a name.
    const named = [...known].find(
      ([other, title]) => title !== shortAddress(other) && isAlike(ownName, title),
    )
    return named && { address: named[0], title: named[1], why: 'name' }
  }, [address, ownName, me, rows, aliases])
}

/**
 * Returns the name of somebody whom the reader knows, or "you", where another wallet has a name in ENS that looks like it.
 */
export function useEnsLookAlike(found: NameInEns | undefined): string | undefined {
  const me = useMe()
  const { data: rows } = useInbox()
  const aliases = useAliases()
  return useMemo(() => {
    // The reader's own name says who it is.
    if (!found || found.address === me || aliases.has(found.address)) return undefined
    const known = knownTo(me, rows, aliases)
    known.delete(found.address)
    known.set(me, 'you')
    const { name, looks_like: similar } = found
    if (similar !== undefined && known.has(similar)) return known.get(similar)
    // One who has no name here is known by the one in ENS.
    const calledBy = (other: string, title: string) =>
      other === me ? nameOf(me) : title === shortAddress(other) ? knownChainName(other) : title
    return [...known].find(([other, title]) => isAlike(name, calledBy(other, title) ?? ''))?.[1]
  }, [found, me, rows, aliases])
}
