// Messages that are not sent yet, or were refused, appear in the rows of the inbox.

import type { InboxItem } from '@parley/sdk'
import { useMemo } from 'react'
import type { ShownFile } from '../files/shown.ts'
import { useMe } from '../service/session.ts'
import { type Entry, isMessage, type MessageEntry, outbox } from '../thread/entries.ts'
import { looksLikeAddress } from '../seal/address.ts'
import { useStore } from '../state/store.ts'
import { newRow, type Place } from './cache.ts'
import { peerOf } from '../names/peer.ts'

export interface Unsent {
  state: 'sending' | 'waiting' | 'failed'
  text: string
  files?: ShownFile[] | undefined
}

type Unsents = ReadonlyMap<string, Unsent & { place: Place; row: InboxItem }>

/** Comments are in no inbox. */
function placeOf({ endpoint, body }: MessageEntry): Place | undefined {
  if (endpoint === 'sendDirectMessage') return { context_type: 'dm', addr: body.toaddr }
  if (endpoint === 'createComment') return undefined
  return { context_type: looksLikeAddress(body.nftaddr) ? 'nft' : 'community', addr: body.nftaddr }
}

const keyOf = ({ context_type, addr }: Place) =>
  context_type === 'dm' ? `dm ${addr}` : `chat ${addr.toLowerCase()}`

const keyOfRow = (row: InboxItem, me: string) =>
  keyOf({ context_type: row.context_type, addr: row.context_type === 'dm' ? peerOf(row, me) : row.nftaddr })

/** Returns for each place the first message that was refused, else the last one that waits. */
function unsentOf(entries: Entry[]): Unsents {
  const found = new Map<string, Unsent & { place: Place; row: InboxItem }>()
  for (const entry of entries.filter(isMessage)) {
    const place = placeOf(entry)
    if (!place || found.get(keyOf(place))?.state === 'failed') continue
    const { state, text, timestamp, body, uploads } = entry
    const row = { ...newRow(place), ...('toaddr' in body && { toaddr: body.toaddr }) }
    found.set(keyOf(place), {
      state,
      text,
      files: uploads,
      place,
      row: { ...row, fromaddr: body.fromaddr, message: text, timestamp, timestamp_dtm: timestamp },
    })
  }
  return found
}

/** Returns what is not sent in a row's conversation or chat. */
export function useUnsent(row: InboxItem): Unsent | undefined {
  const me = useMe()
  const entries = useStore(outbox)
  return useMemo(() => {
    const unsent = unsentOf(entries).get(keyOfRow(row, me))
    // The service has stored it, but its response was lost.
    const isStored = row.id > 0 && row.fromaddr === me && row.message === unsent?.text
    return unsent?.state !== 'failed' && isStored ? undefined : unsent
  }, [entries, row, me])
}

/**
 * Returns the rows of the inbox: first those with a refused message, then those of conversations that do not exist yet,
 * because their first message waits in this browser; their id is 0.
 */
export function useWithUnsent(known: InboxItem[] | undefined): InboxItem[] {
  const me = useMe()
  const entries = useStore(outbox)
  return useMemo(() => {
    const rows = known ?? []
    const unsent = unsentOf(entries)
    if (unsent.size === 0) return rows
    const stateOf = (row: InboxItem) => unsent.get(keyOfRow(row, me))?.state
    const there = new Set(rows.map((row) => keyOfRow(row, me)))
    const begun = [...unsent].filter(([key]) => !there.has(key)).map(([, { row }]) => row)
    const all = [...begun.toReversed(), ...rows]
    const isRefused = (row: InboxItem) => stateOf(row) === 'failed'
    return [...all.filter(isRefused), ...all.filter((row) => !isRefused(row))]
  }, [known, entries, me])
}
