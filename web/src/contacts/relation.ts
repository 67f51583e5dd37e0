import { useQuery } from '@tanstack/react-query'
import { useInbox, useRow } from '../inbox/rows.ts'
import { useMe } from '../service/session.ts'
import { contactQuery } from '../names/contact.ts'

/**
 * A conversation has one of these states for its reader. open: they write to each other; request: the other one has
 * written, and the reader has not decided; checking: that is not known yet.
 */
export type Standing = 'checking' | 'open' | 'request' | 'ignored' | 'blocked'

/** `hasReceived` says whether the other one has written; it is undefined until that is known. */
export function useStanding(peer: string, hasReceived: boolean | undefined): Standing {
  const me = useMe()
  const { row } = useRow({ context_type: 'dm', addr: peer })
  const { data: rows, failureCount: failures } = useInbox()
  // A wallet in the inbox was accepted.
  const isKnown = peer === me || row !== undefined
  const { data, failureCount } = useQuery({
    ...contactQuery(peer),
    enabled: !isKnown && (rows !== undefined || failures > 0),
  })
  if (isKnown) return 'open'
  if (!data) return failureCount > 0 ? 'open' : 'checking'
  if (data.state === 'blocked') return 'blocked'
  if (data.state === 'accepted' || hasReceived === false) return 'open'
  if (hasReceived === undefined) return 'checking'
  return data.state === 'ignored' ? 'ignored' : 'request'
}
