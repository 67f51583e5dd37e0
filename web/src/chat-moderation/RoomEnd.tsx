import type { Room } from '@parley/sdk/contract/rooms.ts'
import { useMutation } from '@tanstack/react-query'
import { client } from '../service/api.ts'
import { describeError } from '../service/describe-error.ts'
import { showNotice } from '../state/notice.ts'
import { Button } from '../ui/Button.tsx'
import { readRoomsAgain } from './rooms.ts'

interface Props {
  community: string
  room: Room
  onDone: () => void
}

/** Archives a room or opens it again, and deletes one in which nobody has posted. */
export function RoomEnd({ community, room: { nftaddr, archived_at }, onDone }: Props) {
  const options = { onSettled: () => readRoomsAgain(community) }
  const done = (notice: string) => () => {
    showNotice(notice)
    onDone()
  }
  const archive = useMutation({
    mutationFn: () => client.changeRoom({ nftaddr, body: { archived: !archived_at } }),
    onSuccess: done(archived_at ? 'Room opened again' : 'Room archived'),
    ...options,
  })
  const remove = useMutation({
    mutationFn: () => client.deleteRoom({ nftaddr }),
    onSuccess: done('Room deleted'),
    ...options,
  })
  const problem = archive.error ?? remove.error
  return (
    <div className="grid grid-cols-1 gap-2 border-t border-line pt-4">
      <p className="text-sm text-pretty text-muted">
        {archived_at
          ? 'It is archived: members read it, and nobody posts.'
          : 'In an archived room members read on, and nobody posts. A room in which somebody has posted can’t be deleted.'}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button busy={archive.isPending} onClick={() => archive.mutate()}>
          {archived_at ? 'Open it again' : 'Archive'}
        </Button>
        <Button variant="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
          Delete
        </Button>
      </div>
      <p role="alert" className="text-sm text-pretty wrap-anywhere text-danger empty:hidden">
        {problem && describeError(problem)}
      </p>
    </div>
  )
}
