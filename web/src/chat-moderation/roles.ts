// The moderators of a chat are cached as they were last read.

import type { Moderator } from '@parley/sdk/contract/chat-moderation-models.ts'
import { useQuery } from '@tanstack/react-query'
import { cache, query } from '../service/api.ts'
import { useMe } from '../service/session.ts'

export type Role = Moderator['role']

const moderatorsQuery = (nftaddr: string) => ({
  ...query('listModerators', { nftaddr }),
  // The service does not notify anybody of a new moderator, so they are read again now and then.
  staleTime: 5 * 60_000,
})

/** Returns the owner and the moderators of a chat. */
export const useModerators = (nftaddr: string) => useQuery(moderatorsQuery(nftaddr))

export const keepModerators = (nftaddr: string, moderators: Moderator[]): void => {
  cache.setQueryData(moderatorsQuery(nftaddr).queryKey, moderators)
  void cache.invalidateQueries({ queryKey: ['listChatLog', nftaddr] })
}

/** Returns the wallet's role in a chat; undefined for an ordinary member, and until that is known. */
export function useRole(nftaddr: string): Role | undefined {
  const me = useMe()
  return useModerators(nftaddr).data?.find(({ walletaddr }) => walletaddr === me)?.role
}
