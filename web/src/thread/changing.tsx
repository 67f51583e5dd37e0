// The field has the next message, a reply, or the text of a message that is edited.

import { Pencil, Reply, X } from 'lucide-react'
import { type ComponentProps, type RefObject, useCallback, useState } from 'react'
import type { Composer, ComposerHandle } from '../messages/Composer.tsx'
import { beginDraft, writtenIn } from '../messages/draft.ts'
import { lineOf } from '../messages/said.ts'
import type { Message } from '../messages/message.ts'
import { useMe } from '../service/session.ts'
import { focusAfterMenu } from '../ui/focus.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { type Changing, editName, type Way } from './changes.ts'
import { draftKey } from './drafts.ts'

export function useChanging(thread: string, way: Way, composing: RefObject<ComposerHandle | null>) {
  const me = useMe()
  const [changing, setChanging] = useState<Changing>()
  // A message that is held may be a reply; an edit waits until the way is known.
  const active = changing && (way !== 'off' || changing.kind === 'reply') ? changing : undefined
  const editKey = useCallback(
    (message: Message) => draftKey(me, `${thread} ${editName(message)}`),
    [me, thread],
  )
  const begin = useCallback(
    (next: Changing) => {
      // One that was left, for example by a reload, goes on.
      const isBegun = next.kind === 'reply' || writtenIn(editKey(next.message)) !== ''
      if (!isBegun) beginDraft(editKey(next.message), next.message.text)
      setChanging(next)
      focusAfterMenu(() => composing.current, 50)
    },
    [editKey, composing],
  )
  const beginWith = (message: Message, text: string) => {
    beginDraft(editKey(message), text)
    setChanging({ kind: 'edit', message })
  }
  const end = () => setChanging(undefined)
  const chip: ComponentProps<typeof Composer>['chip'] = active && {
    isEdit: active.kind === 'edit',
    onCancel: end,
    content: (cancel) => <Chip changing={active} onCancel={cancel} />,
  }
  return {
    active,
    begin,
    /** Begins an edit with another text than the present one. */
    beginWith,
    end,
    field: {
      chip,
      // A field of its own has the text of an edit, so that the draft stays.
      ...(active?.kind === 'edit' && { key: editName(active.message), draftKey: editKey(active.message) }),
    },
  }
}

function Chip({ changing: { kind, message }, onCancel }: { changing: Changing; onCancel: () => void }) {
  const Icon = kind === 'edit' ? Pencil : Reply
  const title = kind === 'edit' ? 'Editing' : `Replying to ${message.mine ? 'yourself' : message.author}`
  return (
    <div className="mb-2 flex items-center gap-2 rounded-lg border-s-3 border-channel bg-channel-soft py-1 ps-3">
      <Icon className="size-4 shrink-0 text-channel" aria-hidden="true" />
      <p role="status" className="min-w-0 flex-1 text-sm">
        <span className="block font-semibold">{title}</span>
        <span className="block truncate text-muted">{lineOf(message)}</span>
      </p>
      <IconButton label={kind === 'edit' ? 'Cancel edit' : 'Cancel reply'} onClick={onCancel}>
        <X className="size-4" />
      </IconButton>
    </div>
  )
}
