// The requests of the wallet that is signed in. The list is read only where it is shown.

import { useQuery } from '@tanstack/react-query'
import { client } from '../service/api.ts'
import { useMe } from '../service/session.ts'

/** How many messages of requests are unread; 0 until that is known. */
export function useUnreadRequests(isReady: boolean): number {
  const address = useMe()
  const { data = 0 } = useQuery({
    queryKey: ['requests', 'count', address],
    queryFn: () => client.countUnread({ address, query: { view: 'requests' } }),
    // After what is shown first.
    enabled: isReady,
  })
  return data
}

/** The newest requests. */
export function useRequests(limit: number) {
  const address = useMe()
  return useQuery({
    queryKey: ['requests', 'list', address, limit],
    queryFn: () => client.getInbox({ address, query: { view: 'requests', limit } }),
    placeholderData: (before) => before,
  })
}
