import { ApiError } from '@parley/sdk'
import type { Room } from '@parley/sdk/contract/rooms.ts'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { suggestedName } from '../names/suggested-name.ts'
import { client } from '../service/api.ts'
import { describeError } from '../service/describe-error.ts'
import { showNotice } from '../state/notice.ts'
import { Button } from '../ui/Button.tsx'
import { Choices } from '../ui/Choices.tsx'
import { Modal } from '../ui/Modal.tsx'
import { SwitchField } from '../ui/SwitchField.tsx'
import { TextArea } from '../ui/TextArea.tsx'
import { TextField } from '../ui/TextField.tsx'
import { RoomEnd } from './RoomEnd.tsx'
import { readRoomsAgain } from './rooms.ts'

const kinds: { value: Room['kind']; label: string }[] = [
  { value: 'text', label: 'Text: everybody posts' },
  { value: 'news', label: 'News: the owner and the moderators post' },
]

interface Props {
  community: string
  /** It is omitted for a new room. */
  room?: Room | undefined
  onClose: () => void
}

/** The form for a new room, or for what changes of one. */
export function RoomDialog({ community, room, onClose }: Props) {
  const { title = '', about = '', kind = 'text', by_default = false } = room ?? {}
  const [entered, setEntered] = useState({ title, name: '', about, kind, by_default })
  const save = useMutation({
    mutationFn: () => {
      const { name: _, ...body } = entered
      return room
        ? client.changeRoom({ nftaddr: room.nftaddr, body })
        : client.createRoom({ community, body: { room: name, ...body } })
    },
    onSuccess: () => {
      showNotice(room ? 'Saved' : 'Room created')
      onClose()
    },
    onSettled: () => readRoomsAgain(community),
  })
  const enter = (part: Partial<typeof entered>) => {
    setEntered({ ...entered, ...part })
    save.reset()
  }
  const name = suggestedName(entered.name || entered.title).toLowerCase()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (entered.title.trim() && (room || name)) save.mutate()
  }
  const field = room ? undefined : fieldOf(save.error)
  const problemAt = (wanted: string) => (field === wanted ? describeError(save.error) : undefined)
  return (
    <Modal title={room ? `Change ${room.title}` : 'New room'} onClose={onClose}>
      <form className="grid grid-cols-1 gap-4" onSubmit={submit}>
        <TextField
          label="Title"
          placeholder="Tools and sheds"
          autoComplete="off"
          maxLength={128}
          dir="auto"
          value={entered.title}
          error={problemAt('title')}
          onChange={({ target }) => enter({ title: target.value })}
        />
        {!room && (
          <TextField
            label="Name in links"
            hint={`${name ? `${community}/${name}` : 'Letters, digits and hyphens'}. Can’t be changed later.`}
            placeholder={suggestedName(entered.title).toLowerCase()}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={entered.name}
            error={problemAt('room')}
            onChange={({ target }) => enter({ name: target.value })}
          />
        )}
        <TextArea
          label="What it is for (optional)"
          rows={2}
          most={1024}
          value={entered.about}
          onChange={(text) => enter({ about: text })}
        />
        <Choices
          legend="Who posts"
          choices={kinds}
          chosen={entered.kind}
          onChange={(value) => enter({ kind: value })}
        />
        <SwitchField
          label="Members join it"
          hint="All members have it among their chats, and each of them can leave it."
          checked={entered.by_default}
          onChange={(on) => enter({ by_default: on })}
        />
        <p role="alert" className="text-sm text-pretty wrap-anywhere text-danger empty:hidden">
          {save.error && !field && describeError(save.error)}
        </p>
        <Button
          type="submit"
          variant="primary"
          className="justify-self-end"
          busy={save.isPending}
          whyDisabled={
            (!entered.title.trim() && 'Enter a title.') ||
            (!room && !name && 'Enter a name with letters or digits.')
          }
        >
          {room ? 'Save' : 'Create'}
        </Button>
      </form>
      {room && <RoomEnd community={community} room={room} onDone={onClose} />}
    </Modal>
  )
}

/** Returns the field that a refusal is about; undefined for another reason. */
function fieldOf(error: Error | null): string | undefined {
  if (!(error instanceof ApiError)) return undefined
  if (error.code === 'conflict') return 'room'
  return error.errors
    ?.map(({ pointer }) => pointer.split('/').at(-1))
    .find((at) => at === 'room' || at === 'title')
}
