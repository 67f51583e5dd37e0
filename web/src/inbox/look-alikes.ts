import { useMemo } from 'react'
import { isAlike } from '../names/alike.ts'
import { useAliases } from '../names/aliases.ts'
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
    const known = new Map<string, string>()
    for (const row of rows ?? []) if (row.context_type === 'dm') known.set(peerOf(row, me), titleOf(row, me))
    for (const [peer, title] of aliases) known.set(peer, title)
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
