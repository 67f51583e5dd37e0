// This browser remembers the keys of others: the one it encrypts to, and the changes that it noticed. The service
// cannot change this record, so the browser notices when the service shows another key, or none.

import { currentAccount, onAccountChange } from '../../service/session.ts'
import { createStore, useStore } from '../../state/store.ts'

/**
 * began: the first key was seen; changed, hidden, bad: the service shows another one, none, or one
 * that the peer's wallet has not signed; off: the peer has stated that encryption is off; shown: it shows the known one again.
 */
export type KeyNews = 'began' | 'changed' | 'hidden' | 'off' | 'bad' | 'shown' | 'accepted'

export interface KnownKey {
  /** Messages are encrypted to this key. The peer's wallet has signed it. */
  key: string
  /**
   * This is the highest number of a statement of the peer that encryption is on. A statement that it is off counts only
   * above it.
   */
  count?: number | undefined
  /** The safety number was compared with this own key. */
  comparedWith?: string | undefined
  /** These are the noticed changes, oldest first. Times are ISO 8601, by this browser's clock. */
  news: { at: string; what: KeyNews; key: string }[]
}

type Known = Record<string, KnownKey>

const entryOf = (me: string) => `parley.known-keys.${me}`

function load(): Known {
  const stored = localStorage.getItem(entryOf(currentAccount()?.address ?? ''))
  return stored ? (JSON.parse(stored) as Known) : {}
}

const known = createStore<Known>(load())
onAccountChange(() => known.set(load()))
addEventListener('storage', ({ key }) => {
  if (key === entryOf(currentAccount()?.address ?? '')) known.set(load())
})

/** Returns what is known about the key of a peer of the signed-in wallet. */
export const useKnownKey = (peer: string): KnownKey | undefined => useStore(known)[peer]
export const knownKey = (peer: string): KnownKey | undefined => known.get()[peer]

/** At most this many news are stored for each peer. */
const most = 50

/**
 * Stores what was noticed about a peer's key. `began` and `accepted` make it the key to encrypt to; its safety number
 * is not compared then. The same news twice in a row is stored once.
 */
export function noteKey(peer: string, what: KeyNews, key: string): void {
  change(peer, (before) => {
    const last = before?.news.at(-1)
    const isSame = last?.what === what && last.key === key
    const news = [...(before?.news ?? []), ...(isSame ? [] : [{ at: new Date().toISOString(), what, key }])]
    const isNew = !before || what === 'accepted'
    return {
      ...before,
      key: isNew ? key : before.key,
      news: news.slice(-most),
      ...(isNew && { comparedWith: undefined }),
    }
  })
}

/** Stores the own key with which the safety number of a peer was compared; undefined undoes that. */
export function noteCompared(peer: string, comparedWith: string | undefined): void {
  change(peer, (before) => before && { ...before, comparedWith })
}

/** Stores the number of a statement that encryption is on, if it is the highest. */
export function noteCount(peer: string, count: number): void {
  change(peer, (before) => before && { ...before, count: Math.max(before.count ?? 0, count) })
}

function change(peer: string, to: (before: KnownKey | undefined) => KnownKey | undefined): void {
  // Another tab may have written since.
  const all = load()
  localStorage.setItem(entryOf(currentAccount()!.address), JSON.stringify({ ...all, [peer]: to(all[peer]) }))
  known.set(load())
}
