// What this browser knows of the keys of others: the one it encrypts to, and what was noticed of it.
// The service cannot change it, so it notices when the service shows another key, or none.

import { currentAccount, onAccountChange } from '../service/session.ts'
import { createStore, useStore } from '../ui/store.ts'

/**
 * began: the first key was seen; changed, hidden, bad: the service shows another one, none, or one
 * that the peer's wallet has not signed; shown: it shows the known one again.
 */
export type KeyNews = 'began' | 'changed' | 'hidden' | 'bad' | 'shown' | 'accepted'

export interface KnownKey {
  /** The key that is encrypted to. It was signed by the peer's wallet. */
  key: string
  /** The own key with which the safety number was compared. */
  comparedWith?: string | undefined
  /** What was noticed, oldest first. Times are ISO 8601, by this browser's clock. */
  news: { at: string; what: KeyNews; key: string }[]
}

type Known = Record<string, KnownKey>

const entryOf = (me: string) => `parley.known-keys.${me}`

function load(): Known {
  const kept = localStorage.getItem(entryOf(currentAccount()?.address ?? ''))
  return kept ? (JSON.parse(kept) as Known) : {}
}

const known = createStore<Known>(load())
onAccountChange(() => known.set(load()))
addEventListener('storage', ({ key }) => {
  if (key === entryOf(currentAccount()?.address ?? '')) known.set(load())
})

/** What is known of the key of a peer of the signed-in wallet. */
export const useKnownKey = (peer: string): KnownKey | undefined => useStore(known)[peer]
export const knownKey = (peer: string): KnownKey | undefined => known.get()[peer]

/** The news that are kept of each peer. */
const most = 50

/**
 * Keeps what was noticed of a peer's key. `began` and `accepted` make it the one that is encrypted
 * to; its safety number is not compared then. The same news twice in a row is kept once.
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

/**
 * Keeps the own key with which the safety number of a peer was compared; undefined takes that back.
 */
export function noteCompared(peer: string, comparedWith: string | undefined): void {
  change(peer, (before) => before && { ...before, comparedWith })
}

function change(peer: string, to: (before: KnownKey | undefined) => KnownKey | undefined): void {
  // Another tab may have written since.
  const all = load()
  localStorage.setItem(entryOf(currentAccount()!.address), JSON.stringify({ ...all, [peer]: to(all[peer]) }))
  known.set(load())
}
