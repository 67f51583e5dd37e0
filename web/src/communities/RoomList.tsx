import { communityPath } from '@parley/sdk/chat-path.ts'
import { Link } from 'react-router'
import { useRooms } from '../chat-moderation/rooms.ts'
import { Card } from '../ui/Card.tsx'
import { iconOf } from './room-icon.tsx'

/** Lists the rooms of a community on its page, without those that are archived. */
export function RoomList({ community }: { community: string }) {
  const { data = [] } = useRooms(community)
  const rooms = data.filter(({ archived_at }) => !archived_at)
  if (rooms.length === 0) return null
  return (
    <Card title="Rooms">
      <ul className="grid gap-1">
        {rooms.map((room) => (
          <li key={room.nftaddr} className="min-w-0">
            <Link
              to={communityPath(room.nftaddr)}
              className="flex min-h-11 min-w-0 items-start gap-3 rounded-xl px-2 py-2 hover:bg-hover [&>svg]:mt-1 [&>svg]:size-4 [&>svg]:shrink-0"
            >
              {iconOf(room)}
              <span className="grid min-w-0 gap-0.5">
                <span dir="auto" className="font-medium wrap-anywhere">
                  {room.title}
                </span>
                {room.about && (
                  <span dir="auto" className="line-clamp-2 text-sm text-muted wrap-anywhere">
                    {room.about}
                  </span>
                )}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}
