// What a thread does with its messages: replies, edits, reactions, and going to a message that is quoted or pinned.

import { Pencil, Reply, X } from 'lucide-react'
import { type ComponentProps, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import type { Composer, ComposerHandle } from '../messages/Composer.tsx'
import { beginDraft } from '../messages/draft.ts'
import { lastUsed } from '../messages/emoji/tones.ts'
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
  mayReact,
  saveEdit,
  setPinned,
  shownAbout,
  type ThreadChanges,
} from './changes.ts'
import { draftKey } from './drafts.ts'
import { toggleReaction } from './reactions.ts'

interface Options {
  thread: string
  isOpen: boolean
  mayPin: boolean
  messages: Message[]
  history: UseInfiniteQueryResult<Pages<unknown>>
  list: RefObject<MessageListHandle | null>
  composing: RefObject<ComposerHandle | null>
  onSend: (text: string, as?: SendAs, replyTo?: number) => void
}

export function useChanges(options: Options) {
  const { thread, isOpen, mayPin, messages, history, list, composing, onSend } = options
  const me = useMe()
  const hasLetters = useLetters()
  const [changing, setChanging] = useState<Changing>()
  // Another thread, or one that became encrypted, has no such message.
  const active = changing && isOpen ? changing : undefined
  const editKey = useCallback((id: number) => draftKey(me, `${thread} edit ${id}`), [me, thread])
  const begin = useCallback(
    (next: Changing) => {
      if (next.kind === 'edit') beginDraft(editKey(next.message.id), next.message.text)
      setChanging(next)
      // A menu that closes gives the focus back first.
      setTimeout(() => composing.current?.focus(), 50)
    },
    [editKey, composing],
  )
  const goTo = useGoTo(messages, history, list)
  const acts = useMemo<MessageActs>(
    () => ({
      may: (message) => ({ react: isOpen && mayReact(message), edit: isOpen && mayEdit(message) }),
      begin: (kind, message) => begin({ kind, message }),
      react: ({ id, reactions }, value) =>
        isOpen ? void toggleReaction(id, reactions, value) : showNotice('You can’t react here.'),
      pick: (message) => shownAbout.set({ what: 'picker', message }),
      showReactions: (message) => shownAbout.set({ what: 'reactions', message }),
      showEdits: (message) => shownAbout.set({ what: 'edits', message }),
      goTo,
    }),
    [goTo, isOpen, begin],
  )
  const send = (text: string, as?: SendAs) => {
    if (active?.kind !== 'edit') {
      onSend(text, as, active?.message.id)
      return setChanging(undefined)
    }
    const { message } = active
    setChanging(undefined)
    if (text === message.text) return
    void save(message, text)
  }
  const save = async (message: Message, text: string) => {
    if (await saveEdit(message, text)) return
    beginDraft(editKey(message.id), text)
    setChanging({ kind: 'edit', message: current.current.find(({ id }) => id === message.id) ?? message })
  }
  const current = useRef(messages)
  useEffect(() => {
    current.current = messages
  })
  const onKey = (key: string, message: Message): boolean => {
    if (key.length === 1 && !hasLetters) return false
    if (key === 'p' && mayPin && mayReact(message)) void setPinned(message.id, !message.pinned)
    else if (!isOpen || !mayReact(message)) return false
    else if (key === 'r') begin({ kind: 'reply', message })
    else if (key === 'e' && mayEdit(message)) begin({ kind: 'edit', message })
    else if (key === 'e' && message.mine) showNotice('Messages can be edited for 24 hours.')
    else if (key === '+') acts.react(message, lastUsed())
    else if (key === ':') acts.pick(message)
    else return false
    return true
  }
  /** The keyboard leaves the empty field upwards: to edit, or with Control to reply to others, from the newest on. */
  const onUp = (withControl: boolean) => {
    const next = isOpen && (withControl ? nextToReply(messages, active) : lastToEdit(messages, active))
    if (next) begin({ kind: withControl ? 'reply' : 'edit', message: next })
    else if (!withControl) list.current?.focusOwn()
  }
  const value: ThreadChanges = { begin, isOpen, mayPin }
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
    composer: {
      onSend: send,
      onUp,
      chip,
      // A field of its own has the text of an edit, so that the draft stays.
      ...(isEdit && { key: `edit ${active.message.id}`, draftKey: editKey(active.message.id) }),
    },
  }
}

/** Returns the newest message of others, or the one before that which is replied to. */
function nextToReply(messages: Message[], active: Changing | undefined): Message | undefined {
  const at = messages.findIndex(({ id }) => active?.kind === 'reply' && id === active.message.id)
  const before = at < 0 ? messages : messages.slice(0, at)
  return before.findLast((message) => !message.mine && mayReact(message))
}

function lastToEdit(messages: Message[], active: Changing | undefined): Message | undefined {
  const last = active?.kind === 'edit' ? undefined : messages.findLast(({ mine }) => mine)
  return last && mayEdit(last) ? last : undefined
}

function Chip({ changing: { kind, message }, onCancel }: { changing: Changing; onCancel: () => void }) {
  const Icon = kind === 'edit' ? Pencil : Reply
  const title = kind === 'edit' ? 'Editing' : `Replying to ${message.mine ? 'yourself' : message.author}`
  return (
    <div className="mb-2 flex items-center gap-2 rounded-lg border-s-3 border-channel bg-channel-soft py-1 ps-3">
      <Icon className="size-4 shrink-0 text-channel" aria-hidden="true" />
      <p role="status" className="min-w-0 flex-1 text-sm">
        <span className="block font-semibold">{title}</span>
        <span className="block truncate text-muted">{message.text}</span>
      </p>
      <IconButton label={kind === 'edit' ? 'Cancel edit' : 'Cancel reply'} onClick={onCancel}>
        <X className="size-4" />
      </IconButton>
    </div>
  )
}

/** Returns a function that goes to a message, and reads older ones until it is there. */
function useGoTo(
  messages: Message[],
  history: UseInfiniteQueryResult<Pages<unknown>>,
  list: RefObject<MessageListHandle | null>,
) {
  const [wanted, setWanted] = useState<number>()
  const oldest = messages.find(({ id }) => id > 0)?.id ?? 0
  const { hasNextPage, isFetching, fetchNextPage, isError } = history
  useEffect(() => {
    if (wanted === undefined) return
    const isThere = list.current?.goToMessage(wanted) ?? false
    if (!isThere && wanted < oldest && hasNextPage && !isError) {
      if (!isFetching) void fetchNextPage()
      return
    }
    if (!isThere)
      showNotice(isError ? 'The message can’t be loaded now.' : 'This message is not here any more.')
    setWanted(undefined)
  }, [wanted, oldest, hasNextPage, isFetching, isError, fetchNextPage, list, messages])
  return setWanted as (id: number) => void
}
