import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useInbox, useRow } from '../inbox/rows.ts'
import { useMe } from '../service/session.ts'
import { contactQuery } from '../names/contact.ts'

/**
 * A conversation has one of these states for its reader. open: they write to each other; request: the other one has
 * written, and the reader has not decided; checking: that is not known yet.
 */
export type Standing = 'checking' | 'open' | 'request' | 'ignored' | 'blocked'

/**
 * `hasReceived` says whether the other one has written; it is undefined until that is known. What is known stays while it is
 * checked again, such as when the row goes from the inbox: the field in which somebody writes stays as well. A component has this
 * for one peer.
 */
export function useStanding(peer: string, hasReceived: boolean | undefined): Standing {
  const now = usePresentStanding(peer, hasReceived)
  const [known, setKnown] = useState(now)
  if (now !== 'checking' && now !== known) setKnown(now)
  return now === 'checking' ? known : now
}

function usePresentStanding(peer: string, hasReceived: boolean | undefined): Standing {
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
