import { useMutation, useQuery } from '@tanstack/react-query'
import { cache, client, describeError, query } from '../service/api.ts'
import { readInboxAgain } from '../inbox/cache.ts'
import { useMe } from '../service/session.ts'
import { showNotice } from '../ui/notice.ts'

interface Change {
  join: boolean
  byPosting?: boolean
}

/** Whether the wallet has joined a chat, and how it joins or leaves. */
export function useJoined(nftaddr: string) {
  const walletaddr = useMe()
  const read = query('hasJoined', { walletaddr, nftaddr })
  const { data: joined } = useQuery(read)
  const change = useMutation({
    mutationFn: ({ join }: Change) =>
      client[join ? 'joinChat' : 'leaveChat']({ body: { walletaddr, nftaddr } }),
    onSuccess: (_answer, { join }) => {
      cache.setQueryData(read.queryKey, join)
      void cache.invalidateQueries({ queryKey: ['getCommunity'] })
      readInboxAgain()
      showNotice(join ? 'Joined: it is in your inbox now' : 'Left: it is no longer in your inbox')
    },
    onError: (error, { byPosting }) => byPosting || showNotice(describeError(error)),
  })
  return {
    joined,
    busy: change.isPending,
    change: (join: boolean, then?: Parameters<typeof change.mutate>[1]) => change.mutate({ join }, then),
    /** To be called with each post: who posts sees the answers. What fails is repeated by the next one. */
    joinByPosting: () => joined === false && change.mutate({ join: true, byPosting: true }),
  }
}
