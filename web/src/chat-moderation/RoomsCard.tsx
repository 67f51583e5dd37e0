import type { Room } from '@parley/sdk/contract/rooms.ts'
import { useMutation } from '@tanstack/react-query'
import { ArrowDown, ArrowUp, Plus } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { client } from '../service/api.ts'
import { describeError } from '../service/describe-error.ts'
import { ReadProblem } from '../service/ReadProblem.tsx'
import { communityPath } from '@parley/sdk/chat-path.ts'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { RoomDialog } from './RoomDialog.tsx'
import { readRoomsAgain, useRooms } from './rooms.ts'

/** Lists the rooms of a community for its owner and its moderators, who create, change and order them. */
export function RoomsCard({ community }: { community: string }) {
  const { data: rooms = [], error, isSuccess, refetch } = useRooms(community)
  const [open, setOpen] = useState<'new' | Room>()
  const move = useMutation({
    mutationFn: ({ nftaddr, position }: { nftaddr: string; position: number }) =>
      client.changeRoom({ nftaddr, body: { position } }),
    onSettled: () => readRoomsAgain(community),
  })
  return (
    <Card title="Rooms">
      <p className="text-sm text-pretty text-muted">
        A room is a chat of its own in {community}. The roles and the rules of the community hold in it.
      </p>
      {error && !isSuccess && <ReadProblem error={error} what="The rooms" onRetry={() => void refetch()} />}
      <ol className="grid grid-cols-1 gap-1 empty:hidden" aria-label="Rooms">
        {rooms.map((room, at) => (
          <li key={room.nftaddr} className="flex min-w-0 items-center gap-1">
            <div className="grid min-w-0 flex-1">
              <Link
                to={communityPath(room.nftaddr)}
                dir="auto"
                className="font-medium wrap-anywhere hover:underline"
              >
                {room.title}
              </Link>
              <span className="text-sm text-muted">{factsOf(room).join(' · ')}</span>
            </div>
            {at > 0 && (
              <IconButton
                label={`Move ${room.title} up`}
                onClick={() => move.mutate({ nftaddr: room.nftaddr, position: at })}
              >
                <ArrowUp className="size-4.5" />
              </IconButton>
            )}
            {at < rooms.length - 1 && (
              <IconButton
                label={`Move ${room.title} down`}
                onClick={() => move.mutate({ nftaddr: room.nftaddr, position: at + 2 })}
              >
                <ArrowDown className="size-4.5" />
              </IconButton>
            )}
            <Button aria-label={`Change… ${room.title}`} onClick={() => setOpen(room)}>
              Change…
            </Button>
          </li>
        ))}
      </ol>
      <p role="alert" className="text-sm text-danger empty:hidden">
        {move.error && describeError(move.error)}
      </p>
      <Button className="justify-self-start" onClick={() => setOpen('new')}>
        <Plus className="size-4" aria-hidden="true" /> New room
      </Button>
      {open && (
        <RoomDialog
          community={community}
          room={open === 'new' ? undefined : open}
          onClose={() => setOpen(undefined)}
        />
      )}
    </Card>
  )
}

const factsOf = ({ kind, by_default, archived_at }: Room): string[] => [
  kind === 'news' ? 'News' : 'Text',
  ...(by_default ? ['members join it'] : []),
  ...(archived_at ? ['archived'] : []),
]
