// Posts that wait for a moderator.

import { useQuery } from '@tanstack/react-query'
import { query } from '../service/api.ts'

/** How many are shown at once: deciding makes room for the next. */
export const mostHeld = 50

/** Nobody is told of a new one: they are read again each minute. */
export const useHeld = (nftaddr: string, isModerator = true) =>
  useQuery({
    ...query('listHeldPosts', { nftaddr, query: { limit: mostHeld } }),
    enabled: isModerator,
    staleTime: 0,
    refetchInterval: 60_000,
  })
