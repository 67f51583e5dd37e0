import { useMutation, useQuery } from '@tanstack/react-query'
import { cache, client, query } from '../service/api.ts'
import { describeError } from '../service/describe-error.ts'
import { readInboxAgain } from '../inbox/cache.ts'
import { useMe } from '../service/session.ts'
import { showDone, showNotice } from '../state/notice.ts'
import { setAnnouncements } from './agreeing.ts'

interface Change {
  join: boolean
  byPosting?: boolean
}

/** Returns the function by which a wallet joins or leaves a chat. */
export function useMembership(nftaddr: string) {
  const walletaddr = useMe()
  const change = useMutation({
    mutationFn: ({ join }: Change) =>
      client[join ? 'joinChat' : 'leaveChat']({ body: { walletaddr, nftaddr } }),
    onSuccess: (_answer, { join }) => {
      cache.setQueryData(query('hasJoined', { walletaddr, nftaddr }).queryKey, join)
      for (const changed of ['getCommunity', 'listCommunities', 'listMembers'])
        void cache.invalidateQueries({ queryKey: [changed] })
      readInboxAgain()
      if (join) showDone('Joined', () => void setAnnouncements(nftaddr, true), 'Get announcements')
      else showNotice('Left')
      void cache.invalidateQueries({ queryKey: ['getChatNotifications'] })
    },
    onError: (error, { byPosting }) => byPosting || showNotice(describeError(error)),
  })
  return {
    busy: change.isPending,
    change: (join: boolean, then?: Parameters<typeof change.mutate>[1]) => change.mutate({ join }, then),
    mutate: change.mutate,
  }
}

/** Returns whether the wallet has joined a chat, and the functions by which it joins or leaves. */
export function useJoined(nftaddr: string) {
  const { data: joined } = useQuery(query('hasJoined', { walletaddr: useMe(), nftaddr }))
  const { busy, change, mutate } = useMembership(nftaddr)
  return {
    joined,
    busy,
    change,
    /** Each post calls this, because its author is to see the replies. The next post repeats it after a failure. */
    joinByPosting: () => joined === false && mutate({ join: true, byPosting: true }),
  }
}
