import { useMutation, useQuery } from '@tanstack/react-query'
import { cache, client, describeError, query } from '../service/api.ts'
import { readInboxAgain } from '../inbox/cache.ts'
import { useMe } from '../service/session.ts'
import { showNotice } from '../ui/notice.ts'

interface Change {
  join: boolean
  byPosting?: boolean
}

/** How a wallet joins or leaves a chat. */
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
      showNotice(join ? 'Joined: it is in your inbox now' : 'Left: it is no longer in your inbox')
    },
    onError: (error, { byPosting }) => byPosting || showNotice(describeError(error)),
  })
  return {
    busy: change.isPending,
    change: (join: boolean, then?: Parameters<typeof change.mutate>[1]) => change.mutate({ join }, then),
    mutate: change.mutate,
  }
}

/** Whether the wallet has joined a chat, and how it joins or leaves. */
export function useJoined(nftaddr: string) {
  const { data: joined } = useQuery(query('hasJoined', { walletaddr: useMe(), nftaddr }))
  const { busy, change, mutate } = useMembership(nftaddr)
  return {
    joined,
    busy,
    change,
    /** To be called with each post: who posts sees the answers. What fails is repeated by the next one. */
    joinByPosting: () => joined === false && mutate({ join: true, byPosting: true }),
  }
}
