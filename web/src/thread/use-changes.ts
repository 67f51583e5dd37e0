// What a thread does with its messages: replies, edits, reactions, and going to a message that is quoted or pinned.

import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { type RefObject, useMemo } from 'react'
import type { ComposerHandle } from '../messages/Composer.tsx'
import { lastUsed } from '../messages/emoji/tones.ts'
import type { Message, MessageActs, SendAs } from '../messages/message.ts'
import type { MessageListHandle } from '../messages/MessageList.tsx'
import type { Pages } from '../service/pages.ts'
import { useLetters } from '../state/keys.ts'
import { showNotice } from '../state/notice.ts'
import {
  type Changing,
  isUnsent,
  mayEdit,
  mayPin as isPinnable,
  mayReact,
  mayReply,
  saveEdit,
  type SealChange,
  setPinned,
  shownAbout,
  type ThreadChanges,
  type Way,
} from './changes.ts'
import { useChanging } from './changing.tsx'
import { useGoTo } from './go-to.ts'
import { toggleReaction } from './reactions.ts'
import { useReturned } from './returned.tsx'
import { useSaveUnsent } from './save-unsent.ts'
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
  const hasLetters = useLetters()
  const { active, begin, beginWith, end, field } = useChanging(thread, way, composing)
  const { goTo, back, keepPlace, toEnd } = useGoTo(options)
  const saveUnsent = useSaveUnsent(options)
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
      return end()
    }
    const { message } = active
    end()
    if (isUnsent(message)) saveUnsent(message, text)
    else if (text !== message.text) saveEdit(thread, message, text, sealChange(message))
  }
  const isReady = active?.kind !== 'edit' && history.data !== undefined && !history.data.storedAt
  const lost = useReturned(isReady, { thread, messages }, beginWith)
  const onKey = (key: string, message: Message): boolean => {
    if (key.length === 1 && !hasLetters) return false
    if (key === 'p' && mayPin && isPinnable(message)) void setPinned(message.id, !message.pinned)
    else if (key === 'e' && mayEdit(message, way)) begin({ kind: 'edit', message })
    else if (!mayReply(message, way)) return false
    else if (key === 'r') begin({ kind: 'reply', message })
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
  const value: ThreadChanges = { begin, goTo, keepPlace, toEnd, react: acts.react, way, mayPin }
  return {
    value,
    acts,
    onKey,
    goTo,
    back,
    /** This edit was refused, and its message is not here. */
    lost,
    composer: {
      onSend: send,
      onUp,
      ...field,
    },
  }
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
