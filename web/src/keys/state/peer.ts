import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { query } from '../../service/api.ts'
import { type KeyNews, type KnownKey, noteCount, noteKey, useKnownKey } from './known.ts'
import { useKeyring } from './keyring.ts'
import { Unchecked } from './proof.ts'
import { isVouchedStatement, provenCount } from './statement.ts'

export interface PeerKey {
  /**
   * The service shows this; good: a key that the peer's wallet has signed; off: that the peer has switched encryption
   * off, in a statement later than any other that was seen here; none: no key, and nothing that the peer has signed; unchecked:
   * nobody could ask whether the peer, a smart wallet, has signed it.
   */
  state: 'unknown' | 'none' | 'off' | 'good' | 'bad' | 'unchecked'
  key: string
  /** The service alone says that the peer, a smart wallet, has signed it. */
  isVouched?: boolean | undefined
  /** This browser knows this about the peer; the keyring holds the own key. */
  known: KnownKey | undefined
}

/** Returns the key of a peer: what the service shows, and what this browser knows. Stores what it notices. */
export function usePeerKey(peer: string): PeerKey {
  const ring = useKeyring()
  const isSelf = ring.state === 'open' && ring.address === peer
  const { data } = useQuery({ ...query('getKey', { address: peer }), refetchOnMount: 'always' })
  const [checked, setChecked] = useState<{ id: string; count: number | undefined; isUnchecked?: boolean }>()
  const known = useKnownKey(peer)
  const { public_key: key = '', signature = '' } = data?.[0] ?? {}
  const id = `${peer} ${key} ${signature}`

  useEffect(() => {
    if (!signature) return undefined
    let current = true
    provenCount(peer, { public_key: key, signature }).then(
      (count) => current && setChecked({ id, count }),
      (error: unknown) => {
        // The code that verifies could not be loaded: the state stays unknown.
        if (current && error instanceof Unchecked) setChecked({ id, count: undefined, isUnchecked: true })
      },
    )
    return () => {
      current = false
    }
  }, [peer, key, signature, id])

  const isChecked = checked?.id === id
  const count = isChecked ? checked.count : undefined
  const state = stateOf()
  function stateOf(): PeerKey['state'] {
    if (!data) return 'unknown'
    if (key === '' && signature === '') return 'none'
    if (!isChecked) return 'unknown'
    if (checked.isUnchecked) return 'unchecked'
    if (key) return count === undefined ? 'bad' : 'good'
    return count !== undefined && count > (known?.count ?? 0) ? 'off' : 'none'
  }
  const news = ring.state === 'open' && ring.on && !isSelf ? newsOf({ state, key, known }) : undefined
  useEffect(() => {
    if (news) noteKey(peer, news, key || known!.key)
    if (state === 'good' && known && count! > (known.count ?? 0)) noteCount(peer, count!)
  })
  if (isSelf) return { state: 'good', key: ring.signed.key, known: undefined }
  const isVouched = state === 'good' && isVouchedStatement(peer, { public_key: key, signature })
  return { state, key, known, isVouched }
}

/** Returns the news to store about what the service shows now. */
function newsOf({ state, key, known }: PeerKey): KeyNews | undefined {
  if (state === 'unknown' || state === 'unchecked') return undefined
  if (!known) return state === 'good' ? 'began' : undefined
  const last = known.news.at(-1)
  const now = state === 'none' ? 'hidden' : state !== 'good' ? state : known.key === key ? 'shown' : 'changed'
  if (now === 'shown')
    return last && ['hidden', 'off', 'bad', 'changed'].includes(last.what) ? 'shown' : undefined
  return last?.what === now && last.key === (key || known.key) ? undefined : now
}
