import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { query } from '../service/api.ts'
import { useMe } from '../service/session.ts'
import { isKeyOf } from './proof.ts'

export interface PeerKey {
  state: 'unknown' | 'none' | 'good' | 'bad'
  key: string
  /** Whether the key differs from the one seen before. */
  changed: boolean
  /** Accepts the current key as the known one. */
  accept: () => void
}

const entry = (me: string) => `parley.known-keys.${me}`
const knownKeys = (me: string): Record<string, string> => JSON.parse(localStorage.getItem(entry(me)) ?? '{}')

/** The key of a peer: published, signed by its wallet, and the same as before. */
export function usePeerKey(peer: string): PeerKey {
  const me = useMe()
  const { data } = useQuery({ ...query('getKey', { address: peer }), refetchOnMount: 'always' })
  const [checked, setChecked] = useState<{ key: string; good: boolean }>()
  const [known, setKnown] = useState(() => knownKeys(me)[peer])
  const { public_key: key = '', signature: sig = '' } = data?.[0] ?? {}

  useEffect(() => {
    if (!key) return undefined
    let current = true
    void isKeyOf(peer, { key, sig }).then((good) => current && setChecked({ key, good }))
    return () => {
      current = false
    }
  }, [peer, key, sig])

  const remember = () => {
    localStorage.setItem(entry(me), JSON.stringify({ ...knownKeys(me), [peer]: key }))
    setKnown(key)
  }
  const good = checked?.key === key && checked.good
  useEffect(() => {
    if (good && known === undefined) remember()
  })

  const state = !data ? 'unknown' : !key ? 'none' : checked?.key !== key ? 'unknown' : good ? 'good' : 'bad'
  return { state, key, changed: good && known !== undefined && known !== key, accept: remember }
}
