// The team of a chat is cached as it was last read.

import type { ChatTeamMember } from '@parley/sdk'
import { useQuery } from '@tanstack/react-query'
import { cache, query } from '../service/api.ts'

const teamQuery = (nftaddr: string) => query('listChatTeam', { nftaddr })

/** Returns the team of a chat, as its owner has named it. */
export const useChatTeam = (nftaddr: string | undefined) =>
  useQuery({ ...teamQuery(nftaddr ?? ''), enabled: nftaddr !== undefined })

export const keepTeam = (nftaddr: string, team: ChatTeamMember[]): void => {
  cache.setQueryData(teamQuery(nftaddr).queryKey, team)
  void cache.invalidateQueries({ queryKey: ['listChatLog', nftaddr] })
}
