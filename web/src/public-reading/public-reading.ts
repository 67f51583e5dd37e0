// Whether everybody may read a chat, as its owner has decided. It is read again each minute while the chat is shown: the
// service begins a page later than that.

import type { PublicReading } from '@parley/sdk/contract/public-reading.ts'
import { useQuery } from '@tanstack/react-query'
import { cache, query } from '../service/api.ts'

const readingOf = (nftaddr: string) => query('getPublicReading', { nftaddr })

export const usePublicReading = (nftaddr: string) =>
  useQuery({ ...readingOf(nftaddr), staleTime: 0, refetchInterval: 60_000 })

export const keepPublicReading = (nftaddr: string, reading: PublicReading): void => {
  cache.setQueryData(readingOf(nftaddr).queryKey, reading)
  void cache.invalidateQueries({ queryKey: ['listChatLog', nftaddr] })
}

/** Returns true until the page of a chat begins, as of when it was read last. */
export const isStillToBegin = ({ since }: PublicReading): boolean =>
  since !== undefined && Date.parse(since) > Date.now()

/** Returns where a person who is signed in sees the page as others do: without this it leads to the client. */
export const previewOf = ({ path = '' }: PublicReading): string => `${path}?public`
