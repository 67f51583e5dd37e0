// What you have and lack for a chat is read again now and then: you may have received or sold a token meanwhile.

import { useQuery } from '@tanstack/react-query'
import { query } from '../service/api.ts'

export const useStanding = (nftaddr: string, isWanted = true) =>
  useQuery({
    ...query('getGateStanding', { nftaddr }),
    enabled: isWanted,
    staleTime: 60_000,
    refetchInterval: 120_000,
  })

/** Returns the gate of a chat. */
export const useGate = (nftaddr: string) =>
  useQuery({ ...query('getGate', { nftaddr }), staleTime: 5 * 60_000 })

/** Returns false where you may read a chat and not post in it, by its gate. Only a chat with a rule for posting is checked. */
export function useMayPost(nftaddr: string): boolean {
  const hasRule = Boolean(useGate(nftaddr).data?.post_words)
  const { data } = useStanding(nftaddr, hasRule)
  return !hasRule || data?.post.open !== false
}
