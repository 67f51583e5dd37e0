// Programs suggest these messages to the reader (POST /v1/drafts).

import type { Draft } from '@parley/sdk'
import { focusManager, useQuery } from '@tanstack/react-query'
import { cache, client, query } from '../service/api.ts'

/** A draft would go there. */
export type Target = { toaddr: string } | { nftaddr: string }

const isFor = (draft: Draft, target: Target): boolean =>
  'toaddr' in target
    ? draft.toaddr === target.toaddr
    : draft.nftaddr?.toLowerCase() === target.nftaddr.toLowerCase()

const none: Draft[] = []
const drafts = query('listDrafts')

// No event announces drafts: they are read again when the reader comes back to the page. `refetchOnWindowFocus` would
// not do: it is content with a read that has begun before, whose response may lack the newest ones.
focusManager.subscribe((isFocused) => {
  if (isFocused) void cache.invalidateQueries({ queryKey: drafts.queryKey })
})

/** Returns the drafts for a place, oldest first. `isWanted` is false while that can wait. */
export function useDrafts(target: Target | undefined, isWanted = true): Draft[] {
  const { data } = useQuery({
    ...drafts,
    enabled: isWanted && target !== undefined,
    refetchOnWindowFocus: false,
  })
  if (!target || !data) return none
  const found = data.filter((draft) => isFor(draft, target))
  return found.length > 0 ? found : none
}

/** Discards a draft. It disappears at once, and comes back after a failure. */
export async function discard(id: string): Promise<void> {
  const { queryKey } = drafts
  cache.setQueryData<Draft[]>(queryKey, (before) => before?.filter((draft) => draft.id !== id))
  await client.deleteDraft({ draft: id }).catch(() => undefined)
  await cache.invalidateQueries({ queryKey })
}
