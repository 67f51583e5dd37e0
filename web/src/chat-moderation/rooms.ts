// The rooms of a community. The service does not notify anybody of a new room, so they are read again now and then.

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

/** Reads the rooms again, and the log, after a change. */
export function readRoomsAgain(community: string): Promise<void> {
  void cache.invalidateQueries({ queryKey: ['listChatLog', community] })
  return cache.invalidateQueries({ queryKey: roomsQuery(community).queryKey })
}
