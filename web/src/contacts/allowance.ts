// A wallet that stores requests takes a limited number of messages before it has replied.

import type { ChatItem } from '@parley/sdk'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useInbox } from '../inbox/rows.ts'
import { isPlaceOf } from '../inbox/cache.ts'
import { query } from '../service/api.ts'
import { useMe } from '../service/session.ts'
import { outbox } from '../thread/entries.ts'
import { retryAnswered } from '../thread/outbox.ts'
import { useStore } from '../state/store.ts'

/** The service counts in the same way. It counts bytes as well, and says when they are too many. */
export const firstMessages = 5

/**
 * Returns from whom a wallet takes messages. It is read where that is wanted, and again while nothing can be written,
 * because that may change.
 */
export const usePolicy = (peer: string, { isWanted = true, isWaiting = false } = {}) =>
  useQuery({
    ...query('getDmPolicy', { address: peer }),
    enabled: isWanted,
    refetchOnWindowFocus: false,
    refetchInterval: isWaiting && 60_000,
  }).data

/**
 * Returns how many messages a wallet still takes; undefined without a limit, or while it is not known: `isWhole` says
 * whether `items` are all messages of both. Refused messages are sent again when the wallet has replied.
 */
export function useAllowance(peer: string, items: ChatItem[], isWhole: boolean): number | undefined {
  const me = useMe()
  useRetryAnswered(peer, items)
  const entries = useStore(outbox).filter(
    ({ endpoint, body }) => endpoint === 'sendDirectMessage' && body.toaddr === peer,
  )
  const sent = items.filter(({ fromaddr }) => fromaddr === me)
  // A wallet that marks messages as read has accepted: a request that is opened is not marked as read.
  const hasAnswered = items.some(({ fromaddr, read }) => fromaddr === peer || read)
  const isRefused = entries.some(({ code }) => code === 'request_pending')
  const waiting = entries.filter(({ state }) => state !== 'failed').length
  const left = Math.max(0, firstMessages - sent.length - waiting)
  const isWanted = peer !== me && isWhole && !hasAnswered
  const policy = usePolicy(peer, { isWanted, isWaiting: isRefused || left === 0 })
  if (!isWanted || policy?.who !== 'requests') return undefined
  if (isRefused) return 0
  // Messages from before the wallet stored requests are not counted.
  return sent.length > firstMessages ? undefined : left
}

/** Sends refused messages again when an open conversation shows that they will be taken now. */
function useRetryAnswered(peer: string, items: ChatItem[]): void {
  const sign = items.findLast(({ fromaddr, read }) => fromaddr === peer || read)?.id
  useEffect(() => {
    if (sign !== undefined) retryAnswered(peer, sign)
  }, [peer, sign])
}

/** Sends refused messages again in conversations that are not open. */
export function useRetryAnsweredElsewhere(): void {
  const me = useMe()
  const entries = useStore(outbox)
  const { data: rows } = useInbox()
  useEffect(() => {
    for (const { code, body } of entries) {
      if (code !== 'request_pending' || !('toaddr' in body)) continue
      const row = rows?.find((one) => isPlaceOf({ context_type: 'dm', addr: body.toaddr }, one, me))
      if (row && (row.fromaddr === body.toaddr || row.read)) retryAnswered(body.toaddr, row.id)
    }
  }, [entries, rows, me])
}
