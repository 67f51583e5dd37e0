// These posts wait for the approval of a moderator.

import { useQuery } from '@tanstack/react-query'
import { query } from '../service/api.ts'

/** At most this many are shown at once: each decision makes room for the next. */
export const mostHeld = 50

/** The service does not notify moderators of a new one, so the posts are read again each minute. */
export const useHeld = (nftaddr: string, isModerator = true) =>
  useQuery({
    ...query('listHeldPosts', { nftaddr, query: { limit: mostHeld } }),
    enabled: isModerator,
    staleTime: 0,
    refetchInterval: 60_000,
  })
