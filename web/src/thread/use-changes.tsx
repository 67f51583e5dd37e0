// What a thread does with its messages: replies, edits, reactions, and going to a message that is quoted or pinned.

import { Pencil, Reply, X } from 'lucide-react'
import { type ComponentProps, type RefObject, useCallback, useEffect, useMemo, useState } from 'react'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import type { Composer, ComposerHandle } from '../messages/Composer.tsx'
import { beginDraft, writtenIn } from '../messages/draft.ts'
import { lastUsed } from '../messages/emoji/tones.ts'
import { onOneLine } from '../messages/format.ts'
import type { Message, MessageActs, SendAs } from '../messages/message.ts'
import type { MessageListHandle } from '../messages/MessageList.tsx'
import type { Pages } from '../service/pages.ts'
import { useMe } from '../service/session.ts'
import { useLetters } from '../state/keys.ts'
import { showNotice } from '../state/notice.ts'
import { IconButton } from '../ui/IconButton.tsx'
import {
  type Changing,
  mayEdit,
  mayPin as isPinnable,
  mayReact,
  mayReply,
  saveEdit,
  type SealChange,
  setPinned,
  shownAbout,
  takeBack,
  type ThreadChanges,
  useRefusedEdit,
  type Way,
} from './changes.ts'
import { draftKey } from './drafts.ts'
import { toggleReaction } from './reactions.ts'
import type { Part } from './use-shown.ts'

interface Options {
  thread: string
  way: Way
  sealChange: SealChange
  mayPin: boolean
  messages: Message[]
  history: UseInfiniteQueryResult<Pages<unknown>>
  part: Part
  list: RefObject<MessageListHandle | null>
  composing: RefObject<ComposerHandle | null>
  onSend: (text: string, as?: SendAs, replyTo?: number) => void
}

export function useChanges(options: Options) {
  const { thread, way, sealChange, mayPin, messages, history, part, list, composing, onSend } = options
  const me = useMe()
  const hasLetters = useLetters()
  const [changing, setChanging] = useState<Changing>()
  // A message that is held may be a reply; an edit waits until the way is known.
  const active = changing && (way !== 'off' || changing.kind === 'reply') ? changing : undefined
  const editKey = useCallback((id: number) => draftKey(me, `${thread} edit ${id}`), [me, thread])
  const begin = useCallback(
    (next: Changing) => {
      // One that was left, for example by a reload, goes on.
      const isBegun = next.kind === 'reply' || writtenIn(editKey(next.message.id)) !== ''
      if (!isBegun) beginDraft(editKey(next.message.id), next.message.text)
      setChanging(next)
      // A menu that closes gives the focus back first.
      setTimeout(() => composing.current?.focus(), 50)
    },
    [editKey, composing],
  )
  const { goTo, back } = useGoTo(options)
  const acts = useMemo<MessageActs>(
    () => ({
      may: (message) => ({
        react: mayReact(message, way),
        reply: mayReply(message, way),
        edit: mayEdit(message, way),
      }),
      begin: (kind, message) => begin({ kind, message }),
      react: (message, value) =>
        mayReact(message, way)
          ? toggleReaction(thread, message, value, sealChange(message))
          : showNotice(
              way === 'sealed' && message.lock === undefined
                ? 'This message is not encrypted, and a reaction to it would not be either.'
                : 'You can’t react here.',
            ),
      pick: (message) => shownAbout.set({ what: 'picker', message }),
      showReactions: (message) => shownAbout.set({ what: 'reactions', message }),
      showEdits: (message) => shownAbout.set({ what: 'edits', message }),
      goTo,
    }),
    [goTo, way, thread, sealChange, begin],
  )
  const send = (text: string, as?: SendAs) => {
    if (active?.kind !== 'edit') {
      if (part.around !== undefined) part.show(undefined)
      onSend(text, as, active?.message.id)
      return setChanging(undefined)
    }
    const { message } = active
    setChanging(undefined)
    if (text === message.text) return
    saveEdit(thread, message, text, sealChange(message))
  }
  const isReady = active?.kind !== 'edit' && !history.data?.storedAt
  useReturned(isReady, { thread, messages }, (message, text) => {
    beginDraft(editKey(message.id), text)
    setChanging({ kind: 'edit', message })
  })
  const onKey = (key: string, message: Message): boolean => {
    if (key.length === 1 && !hasLetters) return false
    if (key === 'p' && mayPin && isPinnable(message)) void setPinned(message.id, !message.pinned)
    else if (!mayReply(message, way)) return false
    else if (key === 'r') begin({ kind: 'reply', message })
    else if (key === 'e' && mayEdit(message, way)) begin({ kind: 'edit', message })
    else if (key === 'e' && message.mine) showNotice('Messages can be edited for 24 hours.')
    else if (key === '+') acts.react(message, lastUsed())
    else if (key === ':') acts.pick(message)
    else return false
    return true
  }
  /** The keyboard leaves the empty field upwards: to edit, or with Control to reply to others, from the newest on. */
  const onUp = (withControl: boolean) => {
    const next = (withControl ? nextToReply : lastToEdit)(messages, active, way)
    if (next) begin({ kind: withControl ? 'reply' : 'edit', message: next })
    else if (!withControl) list.current?.focusOwn()
  }
  const value: ThreadChanges = { begin, react: acts.react, way, mayPin }
  const chip: ComponentProps<typeof Composer>['chip'] = active && {
    isEdit: active.kind === 'edit',
    onCancel: () => setChanging(undefined),
    content: (cancel) => <Chip changing={active} onCancel={cancel} />,
  }
  const isEdit = active?.kind === 'edit'
  return {
    value,
    acts,
    onKey,
    goTo,
    back,
    composer: {
      onSend: send,
      onUp,
      chip,
      // A field of its own has the text of an edit, so that the draft stays.
      ...(isEdit && { key: `edit ${active.message.id}`, draftKey: editKey(active.message.id) }),
    },
  }
}

/**
 * Gives a refused edit back to its writer, once the messages are as the service has them: in the tab that is used, and
 * not in the place of another edit.
 */
function useReturned(
  isReady: boolean,
  { thread, messages }: Pick<Options, 'thread' | 'messages'>,
  onReturn: (message: Message, text: string) => void,
) {
  const refused = useRefusedEdit(thread)
  const message = refused && messages.find(({ id }) => id === refused.about)
  useEffect(() => {
    if (!isReady || !message || document.visibilityState === 'hidden') return
    if (takeBack(refused)) onReturn(message, refused.text)
  }, [isReady, message, refused, onReturn])
}

/** Returns the newest message of others, or the one before that which is replied to. */
function nextToReply(messages: Message[], active: Changing | undefined, way: Way): Message | undefined {
  const at = messages.findIndex(({ id }) => active?.kind === 'reply' && id === active.message.id)
  const before = at < 0 ? messages : messages.slice(0, at)
  return before.findLast((message) => !message.mine && mayReply(message, way))
}

function lastToEdit(messages: Message[], active: Changing | undefined, way: Way): Message | undefined {
  const last = active?.kind === 'edit' ? undefined : messages.findLast(({ mine }) => mine)
  return last && mayEdit(last, way) ? last : undefined
}

function Chip({ changing: { kind, message }, onCancel }: { changing: Changing; onCancel: () => void }) {
  const Icon = kind === 'edit' ? Pencil : Reply
  const title = kind === 'edit' ? 'Editing' : `Replying to ${message.mine ? 'yourself' : message.author}`
  return (
    <div className="mb-2 flex items-center gap-2 rounded-lg border-s-3 border-channel bg-channel-soft py-1 ps-3">
      <Icon className="size-4 shrink-0 text-channel" aria-hidden="true" />
      <p role="status" className="min-w-0 flex-1 text-sm">
        <span className="block font-semibold">{title}</span>
        <span className="block truncate text-muted">{onOneLine(message.text)}</span>
      </p>
      <IconButton label={kind === 'edit' ? 'Cancel edit' : 'Cancel reply'} onClick={onCancel}>
        <X className="size-4" />
      </IconButton>
    </div>
  )
}

/** Returns a function that goes to a message, which may be far above; and the way back to where the reader came from. */
function useGoTo({ messages, history, part, list }: Options) {
  const [wanted, setWanted] = useState<{ id: number; isRead: boolean }>()
  const [from, setFrom] = useState<Message>()
  const { around, show } = part
  const { isFetching, isError, isPaused } = history
  const goTo = useCallback((id: number, origin?: Message) => {
    setWanted({ id, isRead: false })
    setFrom(origin)
  }, [])
  useEffect(() => {
    if (!wanted) return
    if (list.current?.goToMessage(wanted.id)) return setWanted(undefined)
    if (!wanted.isRead) {
      show(wanted.id)
      return setWanted({ ...wanted, isRead: true })
    }
    if (isFetching) return
    showNotice(
      isError || isPaused ? 'The message can’t be loaded now.' : 'This message is not here any more.',
    )
    setWanted(undefined)
    if (around !== undefined) show(undefined)
  }, [wanted, around, show, isFetching, isError, isPaused, list, messages])
  const back = from && { at: from.timestamp, go: () => goTo(from.id) }
  return { goTo, back }
}
