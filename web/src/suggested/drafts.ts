// What programs suggest that the reader sends (POST /v1/drafts).

import type { Draft } from '@parley/sdk'
import { useQuery } from '@tanstack/react-query'
import { cache, client, query } from '../service/api.ts'

/** Where a draft would go. */
export type Target = { toaddr: string } | { nftaddr: string }

const isFor = (draft: Draft, target: Target): boolean =>
  'toaddr' in target
    ? draft.toaddr === target.toaddr
    : draft.nftaddr?.toLowerCase() === target.nftaddr.toLowerCase()

const none: Draft[] = []

/** The drafts for a place, oldest first. No event tells of them: they are read again when the reader comes back to the page. */
export function useDrafts(target: Target | undefined): Draft[] {
  const { data } = useQuery({
    ...query('listDrafts'),
    enabled: target !== undefined,
    refetchOnWindowFocus: 'always',
  })
  if (!target || !data) return none
  const found = data.filter((draft) => isFor(draft, target))
  return found.length > 0 ? found : none
}

/** Discards a draft. It is gone at once, and comes back where that has failed. */
export async function discard(id: string): Promise<void> {
  const { queryKey } = query('listDrafts')
  cache.setQueryData<Draft[]>(queryKey, (drafts) => drafts?.filter((draft) => draft.id !== id))
  await client.deleteDraft({ draft: id }).catch(() => undefined)
  await cache.invalidateQueries({ queryKey })
}
