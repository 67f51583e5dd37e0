import type { InboxItem } from '@parley/sdk'
import { useMe } from '../service/session.ts'
import { outbox } from '../thread/entries.ts'
import { useStore } from '../ui/store.ts'
import { isPlaceOf, newRow } from './cache.ts'

/**
 * Rows for conversations that are not in the inbox yet, because their first message waits in this
 * browser; newest first. Their id is 0.
 */
export function useWaiting(known: InboxItem[] = []): InboxItem[] {
  const me = useMe()
  const rows: InboxItem[] = []
  for (const { endpoint, body, text, timestamp } of useStore(outbox).toReversed()) {
    if (endpoint !== 'sendDirectMessage') continue
    const { fromaddr, toaddr } = body
    const place = { context_type: 'dm', addr: toaddr } as const
    const isHere = (row: InboxItem) => isPlaceOf(place, row, me)
    if (known.some(isHere) || rows.some(isHere)) continue
    rows.push({ ...newRow(place), fromaddr, toaddr, message: text, timestamp, timestamp_dtm: timestamp })
  }
  return rows
}
