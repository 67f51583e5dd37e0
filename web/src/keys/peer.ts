import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { query } from '../service/api.ts'
import { type KeyNews, type KnownKey, noteKey, useKnownKey } from './known.ts'
import { useKeyring } from './keyring.ts'
import { isKeyOf } from './proof.ts'

export interface PeerKey {
  /** What the service shows; good: a key that the peer's wallet has signed. */
  state: 'unknown' | 'none' | 'good' | 'bad'
  key: string
  /** What this browser knows. Nothing of the own key: the keyring holds that. */
  known: KnownKey | undefined
}

/** The key of a peer: what the service shows, and what this browser knows. Keeps what it notices. */
export function usePeerKey(peer: string): PeerKey {
  const ring = useKeyring()
  const isSelf = ring.state === 'open' && ring.address === peer
  const { data } = useQuery({ ...query('getKey', { address: peer }), refetchOnMount: 'always' })
  const [checked, setChecked] = useState<{ id: string; good: boolean }>()
  const known = useKnownKey(peer)
  const { public_key: key = '', signature: sig = '' } = data?.[0] ?? {}
  const id = `${peer} ${key} ${sig}`

  useEffect(() => {
    if (!key) return undefined
    let current = true
    isKeyOf(peer, { key, sig }).then(
      (good) => current && setChecked({ id, good }),
      // The code that verifies is out of reach: it stays unknown.
      () => {},
    )
    return () => {
      current = false
    }
  }, [peer, key, sig, id])

  const state = !data
    ? 'unknown'
    : !key
      ? 'none'
      : checked?.id !== id
        ? 'unknown'
        : checked.good
          ? 'good'
          : 'bad'
  const news = ring.state === 'open' && ring.on && !isSelf ? newsOf({ state, key, known }) : undefined
  useEffect(() => {
    if (news) noteKey(peer, news, key || known!.key)
  })
  return isSelf ? { state: 'good', key: ring.signed.key, known: undefined } : { state, key, known }
}

/** What is to be noted of what the service shows now. */
function newsOf({ state, key, known }: PeerKey): KeyNews | undefined {
  if (state === 'unknown') return undefined
  if (!known) return state === 'good' ? 'began' : undefined
  const last = known.news.at(-1)
  const now = state === 'none' ? 'hidden' : state === 'bad' ? 'bad' : known.key === key ? 'shown' : 'changed'
  if (now === 'shown') return last && ['hidden', 'bad', 'changed'].includes(last.what) ? 'shown' : undefined
  return last?.what === now && last.key === (key || known.key) ? undefined : now
}
