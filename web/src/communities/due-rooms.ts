import type { Room } from '@parley/sdk/contract/rooms.ts'
import { useEffect } from 'react'
import { keepRooms } from '../chat-moderation/rooms.ts'
import { readInboxAgain } from '../inbox/cache.ts'
import { cache, client } from '../service/api.ts'

/** Joins the rooms that every member joins and that were created since the wallet joined the community. */
export function useDueRooms(community: string, rooms: Room[]): void {
  const isDue = rooms.some(({ due }) => due)
  useEffect(() => {
    if (isDue) void join(community)
  }, [community, isDue])
}

async function join(community: string): Promise<void> {
  // After a failure it is tried again when the chat is opened again.
  const rooms = await client.joinRooms({ community }).catch(() => undefined)
  if (!rooms) return
  keepRooms(community, rooms)
  void cache.invalidateQueries({ queryKey: ['hasJoined'] })
  readInboxAgain()
}
