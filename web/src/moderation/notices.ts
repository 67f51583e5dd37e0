// What operators of the service did with the wallet. It is read when there is a reason: an event says
// so, the service has refused something, or something is forbidden when the page opens, which the
// service answers from memory.

import type { Notice } from '@parley/sdk'
import { useQuery } from '@tanstack/react-query'
import { cache, onForbidden, query } from '../service/api.ts'
import { onAccountChange } from '../service/session.ts'
import { createStore, useStore } from '../ui/store.ts'

const wanted = createStore(false)
onAccountChange(() => wanted.set(false))

/** Reads the notices again. */
export function readNotices(): void {
  wanted.set(true)
  void cache.invalidateQueries({ queryKey: ['listNotices'] })
}
onForbidden(() => {
  if (!wanted.get()) readNotices()
})

export const useNotices = (isShown = false) => {
  const isWanted = useStore(wanted)
  const { data: sanctions = [] } = useQuery({ ...query('listSanctions'), staleTime: Infinity })
  return useQuery({ ...query('listNotices'), enabled: isWanted || isShown || sanctions.length > 0 })
}

/** The notice of what the wallet may not do now; undefined where nothing is forbidden. */
export function sanctionOf(notices: Notice[]): Notice | undefined {
  for (const notice of notices) {
    if (notice.action === 'lift') return undefined
    if (notice.action !== 'mute' && notice.action !== 'ban') continue
    if (notice.until === undefined || Date.parse(notice.until) > Date.now()) return notice
  }
  return undefined
}
