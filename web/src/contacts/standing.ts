import { useQuery } from '@tanstack/react-query'
import { useRow } from '../inbox/rows.ts'
import { useMe } from '../service/session.ts'
import { contactQuery } from '../names/contact.ts'

/**
 * What a conversation is to its reader. open: they write to each other; request: the other one has
 * written, and the reader has not decided; checking: that is not known yet.
 */
export type Standing = 'checking' | 'open' | 'request' | 'ignored' | 'blocked'

/** `hasReceived` says whether the other one has written; undefined until that is known. */
export function useStanding(peer: string, hasReceived: boolean | undefined): Standing {
  const me = useMe()
  const { row } = useRow({ context_type: 'dm', addr: peer })
  // Who stands in the inbox was accepted.
  const isKnown = peer === me || row !== undefined
  const { data, failureCount } = useQuery({ ...contactQuery(peer), enabled: !isKnown })
  if (isKnown) return 'open'
  if (!data) return failureCount > 0 ? 'open' : 'checking'
  if (data.state === 'blocked') return 'blocked'
  if (data.state === 'accepted' || hasReceived === false) return 'open'
  if (hasReceived === undefined) return 'checking'
  return data.state === 'ignored' ? 'ignored' : 'request'
}
