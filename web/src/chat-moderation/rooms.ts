// The rooms of a community. An event says to members that they have changed; others read them again now and then.

import type { Room } from '@parley/sdk/contract/rooms.ts'
import { useQuery } from '@tanstack/react-query'
import { cache, query } from '../service/api.ts'

const roomsQuery = (community: string) => ({
  ...query('listRooms', { community }),
  staleTime: 0,
  refetchInterval: 60_000,
})

/** Returns the rooms of a community in their order. */
export const useRooms = (community: string) => useQuery(roomsQuery(community))

export const keepRooms = (community: string, rooms: Room[]): void => {
  cache.setQueryData(roomsQuery(community).queryKey, rooms)
}

/** Reads the rooms again, and the log, after a change. The path of a page may write the community in another case. */
export function readRoomsAgain(community: string): Promise<void> {
  void cache.invalidateQueries({ queryKey: ['listChatLog', community] })
  return cache.invalidateQueries({
    queryKey: ['listRooms'],
    predicate: ({ queryKey: [, of] }) => isOf(of, community),
  })
}

const isOf = (of: unknown, community: string): boolean =>
  (of as { community: string }).community.toLowerCase() === community.toLowerCase()
